"""Gather what the chapter on training the talker shows of its full run, in one small file.

    python -m qwen3tts.train_talker --out RUN --minutes 11 --sentences 1200 --speakers clara --strangers 0.15 \
        --positions 800
    python qwen3tts/reference/make_training.py RUN

The file, train_talker.safetensors, holds the losses of every tenth step, means of ten; those of held-out sentences, every
fifty steps; and, after some minutes and at the end, where the guided heads look and what the model says.
"""
import sys
from pathlib import Path
import qwen3tts
import mlx.core as mx
import numpy as np
from qwen3tts.training import read_log

def table(records, names): return np.array([[r[k] for k in names] for r in records], np.float32)

run = Path(sys.argv[1])/'run'
log = read_log(run)
names = [*(f'code {i}' for i in range(16)), 'guide']
n = len(log)//10*10
exams = [r for r in log if 'held out, guide' in r]
out = {'steps': table(log[9:n:10], ['step','seconds']), 'losses': table(log[:n], names).reshape(-1, 10, 17).mean(1),
       'exams': table(exams, ['step','seconds']), 'held out': table(exams, [f'held out, {k}' for k in names])}
for part,kind in (('looks',np.float16), ('words',np.int16)):
    for f in (run/part).glob('*.npy'): out[f'{part}.{f.stem}'] = np.load(f).astype(kind)
mx.save_safetensors(str(Path(__file__).parent/'train_talker.safetensors'), {k: mx.array(v) for k,v in out.items()})
