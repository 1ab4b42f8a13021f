"""Measure the memory of one step of fine-tuning, on a network of the real size with numbers of no meaning.

    python qwen3tts/reference/memory.py 1.7b --recompute               # detours; 12 GB of memory
    python qwen3tts/reference/memory.py 0.6b --full --recompute
    python qwen3tts/reference/memory.py 0.6b --beside CHECKPOINT       # only counts what stays loaded beside: codec and speaker encoder

CHECKPOINT is one of the real sizes, as make_random.py writes it; its codec has the sizes of the published one.
Prints what the arrays take before the step and at most during it, in the float32 of a CPU, and the most that the process ever held.
By the qwen3tts authors.
"""
import argparse, resource, time
import qwen3tts
import mlx.core as mx
import mlx.optimizers as optim
import numpy as np
from mlx.utils import tree_flatten
from qwen3tts.finetune import adapt, forget, official_weights, voice_loss
from qwen3tts.hub import load_codec
from qwen3tts.network import ModelConfig, Qwen3TTS
from qwen3tts.prompt import Column, Prompt
from qwen3tts.speaker import SpeakerConfig, SpeakerEncoder
from qwen3tts.train_talker import Row, collate
from qwen3tts.training import update

HIDDEN = {"0.6b": 1024, "1.7b": 2048}

def config(size):
    "The published sizes."
    heads = dict(num_attention_heads=16, num_key_value_heads=8, head_dim=128, rope_theta=1000000, num_code_groups=16)
    ids = {f"codec_{o}_id": 2148+i for i, o in enumerate(("pad", "bos", "eos_token"))} | {f"codec_{o}_id": 2154+i for i, o in enumerate(("think", "nothink", "think_bos", "think_eos"))}
    predictor = dict(vocab_size=2048, hidden_size=1024, intermediate_size=3072, num_hidden_layers=5, **heads)
    return ModelConfig.from_dict(dict(talker_config=dict(vocab_size=3072, text_vocab_size=151936, text_hidden_size=2048, hidden_size=HIDDEN[size],
        intermediate_size=3*HIDDEN[size], num_hidden_layers=28, code_predictor_config=predictor, **ids, **heads)))

def filled(network):
    "Numbers that are quickly made, a tensor at a time."
    for k, v in tree_flatten(network.parameters()):
        new = mx.ones(v.shape) if v.ndim == 1 else .02*(mx.random.normal(v.shape[-1:]) + mx.random.normal((v.shape[0], 1)))
        network.load_weights([(k, new)], strict=False)
        mx.eval(new)
    return network

def beside(size, folder):
    "Say what the parts take that heard the recordings and speak the samples."
    parts = {"codec": load_codec(folder), "speaker encoder": SpeakerEncoder(SpeakerConfig(enc_dim=HIDDEN[size]))}
    for name, m in parts.items():
        weights = [v for _, v in tree_flatten(m.parameters())]
        print(f"{name}: {sum(v.size for v in weights)/1e6:.1f} M weights, {sum(v.nbytes for v in weights)/1e9:.3f} GB")

def main():
    p = argparse.ArgumentParser()
    p.add_argument("size", choices=[*HIDDEN]), p.add_argument("--full", action="store_true"), p.add_argument("--recompute", action="store_true")
    p.add_argument("--rows", type=int, default=2), p.add_argument("--frames", type=int, default=50), p.add_argument("--beside", metavar="CHECKPOINT")
    a = p.parse_args()
    if a.beside: return beside(a.size, a.beside)
    network = filled(Qwen3TTS(config(a.size), False))
    adapt(network, 3000, mx.zeros(HIDDEN[a.size]), None if a.full else 16)
    mx.eval(network.parameters())
    if a.recompute: forget(network)
    network.train()
    dice = np.random.default_rng(0)
    def row(): return Row(Prompt([Column(int(dice.integers(0, 1000)), 2148) for _ in range(38)]), dice.integers(0, 2048, (a.frames, 16)).astype(np.int32))
    batch, adam = collate(network.config, [row() for _ in range(a.rows)]), optim.AdamW(1e-4)
    adam.init(network.trainable_parameters())
    before, start = mx.get_active_memory(), time.time()
    mx.reset_peak_memory()
    said = update(network, voice_loss(official_weights(16), mx.float32), [batch], adam, 1.)
    learns = sum(v.size for _, v in tree_flatten(network.trainable_parameters()))
    print(f"{a.size}, {'all' if a.full else 'detours'}{', recomputed' if a.recompute else ''}: {learns/1e6:.1f} M learn, {before/1e9:.1f} GB before the step, "
          f"{mx.get_peak_memory()/1e9:.1f} GB at most during it, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss*1024/1e9:.1f} GB ever held, "
          f"{time.time()-start:.0f} s, loss {said['loss']:.1f}", flush=True)

if __name__ == "__main__": main()
