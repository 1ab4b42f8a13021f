"""Open what this package trained with the official package, or with mlx-audio, and compare what they say, code by code.

    python qwen3tts/reference/opened.py compare RUN/model ada --official .venv-reference/bin/python
    python qwen3tts/reference/opened.py compare RUN/model ada --mlx-audio MLX/bin/python
    python qwen3tts/reference/opened.py store --official .venv-reference/bin/python --mlx-audio MLX/bin/python    # opened.json

The first python is this package's; the other one is of the environment of make_reference.py, or one with mlx-audio (0.6.2).
All are greedy and compute in float32. Of two checkpoints that come out alike on every machine, `trained` and `tuned` below,
opened.json holds what the official package says (and, where one is named, mlx-audio of `tuned`), so that the chapters on
training can compare without them.
By the qwen3tts authors.
"""
import argparse, json, shutil, subprocess, sys, tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEXTS = ["Good morning.", "She sells fresh fish at the market."]
FRAMES = 40   # at most

# ---- two checkpoints ------------------------------------------------------------------------------------------------

def trained(out):
    "What `train_talker` writes, before its first step; the heads are louder, so that no two codes are nearly as likely. Speaker: clara."
    import qwen3tts
    from qwen3tts.hub import find_checkpoint, open_checkpoint
    from qwen3tts.train_talker import newborn, settings_of, write_model
    folder = find_checkpoint()
    d = settings_of(folder, ["clara"], num_hidden_layers=3)
    network = newborn(d, open_checkpoint().network.speaker_encoder)
    for head in (network.talker.codec_head, *network.code_predictor.lm_head): head.weight = head.weight*50
    return write_model(Path(out), network, d, folder)

def tuned(out):
    "What `finetune` writes, with detours made of fractions whose sums are exact in every order. Speaker: ada, who begins as roger."
    import qwen3tts, mlx.core as mx, numpy as np
    from mlx.utils import tree_flatten
    from qwen3tts.finetune import adapt, free_row, merge, with_speaker
    from qwen3tts.hub import find_checkpoint, open_checkpoint
    from qwen3tts.train_talker import write_model
    from qwen3tts.weights import read_config
    folder, network, dice = find_checkpoint(), open_checkpoint(joined=False).network, np.random.default_rng(0)
    talker = network.config.talker_config
    at, row = free_row(talker), network.talker.model.codec_embedding.weight[talker.spk_id["roger"]]
    adapt(network, at, row, 4)
    size = dict(down=1/16, up=1/16)
    new = [(k, mx.array(dice.integers(-1, 2, v.shape)*size[k.split(".")[-1]], mx.float32))
           for k, v in tree_flatten(network.trainable_parameters()) if not k.endswith("row")]
    network.load_weights(new, strict=False)
    merge(network).set_dtype(mx.bfloat16)
    config = with_speaker(read_config(folder), "ada", at, ["speaker", "instruct", "voice", "design"])
    return write_model(Path(out), network, config, folder)

# ---- who opens them -------------------------------------------------------------------------------------------------

def ours(folder, speaker):
    "This package."
    import qwen3tts
    from qwen3tts.model import Qwen3TTSModel
    tts = Qwen3TTSModel.from_pretrained(folder, dtype="float32")
    greedy = dict(do_sample=False, subtalker_dosample=False, max_new_tokens=FRAMES+1)
    return [tts.speak(t, speaker=speaker, language="english", **greedy).codes.tolist() for t in TEXTS]

def official(folder, speaker):
    "The official package."
    import make_reference, torch
    torch.set_grad_enabled(False)
    tts, seen = make_reference.Qwen3TTSModel.from_pretrained(folder, dtype=torch.float32), []
    generate = tts.model.generate
    def listen(**kw):
        codes, hidden = generate(**kw)
        seen.append(codes[0].tolist())
        return codes, hidden
    tts.model.generate = listen
    for t in TEXTS:
        tts.generate_custom_voice(text=t, speaker=speaker, language="english", max_new_tokens=FRAMES+1, **make_reference.GREEDY)
    return seen

def mlx_audio(folder, speaker):
    "mlx-audio, on a copy without speaker encoder, which it refuses here, and in float32: it computes in the type of the file."
    import mlx.core as mx
    from mlx_audio.tts.utils import load_model
    seen = []
    def listen(codes, *args, **kw):
        seen.append(codes[0].tolist())
        raise KeyboardInterrupt          # the packaged codec it cannot run
    with tempfile.TemporaryDirectory() as d:
        copy = shutil.copytree(folder, Path(d)/"model")
        tensors = mx.load(f"{folder}/model.safetensors")
        mx.save_safetensors(str(copy/"model.safetensors"), {k: v.astype(mx.float32) for k, v in tensors.items() if not k.startswith("speaker_encoder")})
        tts = load_model(copy)
        for name in ("decode", "streaming_decode", "chunked_decode"):
            if hasattr(tts.speech_tokenizer, name): setattr(tts.speech_tokenizer, name, listen)
        for t in TEXTS:
            try: list(tts.generate(text=t, voice=speaker, temperature=0., max_tokens=FRAMES, lang_code="english", verbose=False))
            except KeyboardInterrupt: pass
    return seen

PEERS = dict(official=official, mlx_audio=mlx_audio)

def said_by(peer, python, folder, speaker):
    "Codes of `TEXTS`, by a peer in an environment of its own."
    with tempfile.TemporaryDirectory() as d:
        line = [str(python), str(HERE/"opened.py"), "say", str(folder), speaker, "--peer", peer, "--out", f"{d}/codes.json"]
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode: raise RuntimeError(done.stderr)
        return json.loads(Path(d, "codes.json").read_text())

def main():
    p = argparse.ArgumentParser()
    p.add_argument("what", choices=["compare", "store", "say"])
    p.add_argument("folder", nargs="?"), p.add_argument("speaker", nargs="?")
    p.add_argument("--official"), p.add_argument("--mlx-audio"), p.add_argument("--peer"), p.add_argument("--out")
    a = p.parse_args()
    if a.what == "say": Path(a.out).write_text(json.dumps(PEERS[a.peer](a.folder, a.speaker)))
    if a.what == "compare":
        mine = ours(a.folder, a.speaker)
        for peer, python in dict(official=a.official, mlx_audio=a.mlx_audio).items():
            if not python: continue
            theirs = said_by(peer, python, a.folder, a.speaker)
            print(peer, [f"{len(x)} frames, {'equal' if x == y else 'not equal'}" for x, y in zip(mine, theirs)])
            if mine != theirs: sys.exit(1)
    if a.what == "store":
        with tempfile.TemporaryDirectory() as d:
            made = {f.__name__: (f(Path(d, f.__name__)), who) for f, who in ((trained, "clara"), (tuned, "ada"))}
            found = dict(texts=TEXTS, codes={k: said_by("official", a.official, *o) for k, o in made.items()})
            if a.mlx_audio: found["mlx_audio"] = dict(tuned=said_by("mlx_audio", a.mlx_audio, *made["tuned"]))
        (HERE/"opened.json").write_text(json.dumps(found))

if __name__ == "__main__": main()
