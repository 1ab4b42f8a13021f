"""Gather what the two chapters on training from nothing show of their full runs, each in one small file.

    python -m qwen3tts.train_codec --out CODEC --sentences 3000 --steps 150 14350 2431 --adversarial-after 0.7816
    python qwen3tts/reference/make_training.py codec CODEC
    python -m qwen3tts.train_talker --out RUN --steps 1200 --sentences 9000 --positions 2000
    qwen3tts evaluate RUN/model --teacher roger=rms --teacher clara=slt --teacher angus=awb -o RUN/report
    python qwen3tts/reference/make_training.py talker RUN

train_talker.safetensors holds the losses of every tenth step, means of ten; those of held-out sentences, every fifty steps; and,
after some minutes and at the end, where the guided heads look and what the model says; as metadata, what `evaluate` says of it.
train_codec.safetensors holds the numbers
of every tenth step of each stage, means of ten, and, after some minutes and at the end, what is drawn, what is said, and, if a critic
joined in (`--adversarial-after`), what is said then (duel).
"""
import json, sys
from pathlib import Path
import qwen3tts
import mlx.core as mx
import numpy as np
from qwen3tts.training import read_log

def table(records, names): return np.array([[r[k] for k in names] for r in records], np.float32)

def tenths(log, names): # -> ([n,2] step and seconds, [n,names] means of ten steps)
    n = len(log)//10*10
    return table(log[9:n:10], ['step','seconds']), table(log[:n], names).reshape(-1, 10, len(names)).mean(1)

def pages(folder, name, kind):
    return {f'{name}.{f.stem}': np.load(f).astype(kind) for f in sorted(folder.glob('*.npy'))}

def talker(run):
    log, names = read_log(run/'run'), [*(f'code {i}' for i in range(16)), 'guide']
    exams = [r for r in log if 'held out, guide' in r]
    steps, losses = tenths(log, names)
    return {'steps': steps, 'losses': losses, 'exams': table(exams, ['step','seconds']),
            'held out': table(exams, [f'held out, {k}' for k in names]),
            **pages(run/'run'/'looks', 'looks', np.float16), **pages(run/'run'/'words', 'words', np.int16)}

CURVES = {'2_codes': ['mel','phone','rows'], '3_sound': ['mel'], '4_duel': ['mel','critic','doubt']}

def codec(run):
    out = {}
    for stage, names in CURVES.items():
        if not (run/stage).exists(): continue   # no critic
        out[f'{stage}.steps'], means = tenths(read_log(run/stage), names)
        out |= {f'{stage}.{k}': means[:,i:i+1] for i,k in enumerate(names)}
    said = pages(run/'3_sound', 'said', np.float32) | pages(run/'4_duel', 'duel', np.float32)
    return out | pages(run/'2_codes', 'drawn', np.float16) | {k: np.round(np.clip(v, -1, 1)*32767).astype(np.int16) for k, v in said.items()}

what, run = sys.argv[1], Path(sys.argv[2])
made = dict(talker=talker, codec=codec)[what](run)
told = {'figures': json.dumps(json.loads((run/'report'/'results.json').read_text())['figures'])} if what == 'talker' else {}
mx.save_safetensors(str(Path(__file__).parent/f'train_{what}.safetensors'), {k: mx.array(v) for k,v in made.items()}, told)
