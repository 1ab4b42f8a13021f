"""Measure qwen3tts beside the official package and mlx-audio, on the same checkpoint, and say which marks are met.

    python qwen3tts/reference/make_random.py 0.6b r06           # once; in the environment of make_reference.py
    python qwen3tts/reference/peers.py r06                      # about ten minutes on two cores; let nothing else run

Run it in the environment of qwen3tts. Each peer gets a virtual environment of its own in `--venvs`, made as a user would:

    official     pip install qwen-tts==0.1.1               float32, as many threads as there are cores
    mlx-audio    pip install mlx-audio==0.6.2 'mlx[cpu]'   types as in the checkpoint, which is its default

In every round each of them starts afresh, in turn, and loads, speaks, decodes 2 s and encodes 5 s; figures are the medians of the
rounds. `plain` is qwen3tts without MKL on the packaged checkpoint. What has been measured is kept in `--out`, a JSON file, at once:
a run that was stopped goes on where it was. A frame is what one more frame costs: the median time between two steps while speaking,
and its share of the decoding. By the qwen3tts authors.
"""
import argparse, json, os, subprocess, sys, time
from pathlib import Path
from statistics import median

OFFICIAL, MLX_AUDIO = ["qwen-tts==0.1.1"], ["mlx-audio==0.6.2", "mlx[cpu]"]
TEXT = "In the evening they sat by the window and looked at the boats that came home over the quiet water."
DECODED, ENCODED = 25, 5*24000     # frames, samples
TOUCHED = 6 << 30                  # bytes, the most that one of them takes

# ---- what every peer is asked ---------------------------------------------------------------------------------------

def peak():
    "The most memory that this process has ever held, in bytes (Linux)."
    return 1024*int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])

def seconds(f, times=3, warm=True):
    "Median of several calls, after one that is not counted."
    if warm: f()
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        f()
        took.append(time.perf_counter() - begun)
    return median(took)

def steps(stamps):
    "Median time between steps; the first, after the prompt, does not count."
    return median(b-a for a, b in zip(stamps[1:], stamps[2:]))

def some_codes():
    "Codes to decode: any will do, all decoding costs the same."
    import numpy as np
    return np.random.default_rng(0).integers(1, 2048, (DECODED, 16))

def some_sound():
    "A reference to encode."
    import numpy as np
    return (.1*np.random.default_rng(0).standard_normal(ENCODED)).astype(np.float32)

# ---- the peers ------------------------------------------------------------------------------------------------------

def ours(folder, frames, first):
    "qwen3tts; in the first round also what it is measured by alone."
    from qwen3tts import bench
    out = {"load": bench.loading(str(folder))}
    model = bench.Qwen3TTSModel.from_pretrained(str(folder))
    ck, codes, wav = model.checkpoint, some_codes(), some_sound()
    out["step"] = median(bench.between(ck, 1, frames))
    out["decode"] = seconds(lambda: model.speech_tokenizer.decode({"audio_codes": codes}))
    out["encode"] = seconds(lambda: model.speech_tokenizer.encode(wav, sr=24000))
    out["bandwidth"] = max(bench.bandwidth(n, 1.) for n in {1, os.cpu_count()})
    out["bytes"] = sum(bench.frame_bytes(ck.network).values())
    out["batch"] = {n: n/median(bench.between(ck, n, max(4, frames//2))) for n in (1, 4)}
    out["streaming"] = bench.streaming(model, frames, times=1)
    if first:
        out["talker"] = {n: bench.talker_after(ck, n) for n in (20, 1500)}     # ms
        out["primitives"] = sum(bench.frame_primitives(ck).values())
    return out

def plain(folder, frames, first):
    "The packaged model without MKL."
    import qwen3tts
    qwen3tts.MKL.load = lambda: None
    from qwen3tts import bench
    return {"rtf": (flow := bench.streaming(bench.Qwen3TTSModel.from_pretrained(), 25))["whole"]/flow["lasts"]}

def official(folder, frames, first):
    "PyPI qwen-tts on the CPU."
    import torch
    try: from qwen_tts import Qwen3TTSModel
    except ImportError:   # an environment without the packages that it imports but does not use here
        import make_reference
        from qwen_tts import Qwen3TTSModel
    torch.set_num_threads(os.cpu_count())
    begun = time.perf_counter()
    tts = Qwen3TTSModel.from_pretrained(str(folder), dtype=torch.float32, device_map="cpu")
    out, stamps = {"load": dict(seconds=time.perf_counter()-begun, peak=peak())}, []
    tts.model.talker.register_forward_pre_hook(lambda *_: stamps.append(time.perf_counter()))
    tts.generate_custom_voice(TEXT, "vivian", "english", max_new_tokens=frames+1)
    out["step"] = steps(stamps)
    codec, codes, wav = tts.model.speech_tokenizer, torch.from_numpy(some_codes()), some_sound()
    out["decode"] = seconds(lambda: codec.decode([{"audio_codes": codes}]))
    out["encode"] = seconds(lambda: codec.encode(wav, sr=24000))
    return out

def mlx_audio(folder, frames, first):
    "mlx-audio. It asks MLX for the numbers once a frame, which is where the clock stands and primitives are counted."
    import io, re
    import mlx.core as mx
    from mlx_audio.tts.utils import load
    begun = time.perf_counter()
    model = load(folder)
    out, stamps, compute = {"load": dict(seconds=time.perf_counter()-begun, peak=peak())}, [], mx.eval
    def spy(*arrays):
        if len(arrays) == 2 and first and len(stamps) == 2:
            mx.export_to_dot(dot := io.StringIO(), *arrays)
            out["primitives"] = re.findall(r'label ="(\w+)"', dot.getvalue())
        compute(*arrays)
        if len(arrays) == 2: stamps.append(time.perf_counter())
    mx.eval = spy
    for _ in model.generate_custom_voice(TEXT, "vivian", "english", max_tokens=max(4, frames//4)): pass
    mx.eval = compute
    out["step"] = steps(stamps)
    codes, wav = mx.array(some_codes())[None], mx.array(some_sound())[None, None]
    out["decode"] = seconds(lambda: mx.eval(model.speech_tokenizer.decode(codes)), 1, warm=False)   # slow: once must do
    out["encode"] = seconds(lambda: mx.eval(model.speech_tokenizer.encode(wav)), 1, warm=False)
    return out

PEERS = {f.__name__.replace("_", "-"): f for f in (ours, official, mlx_audio, plain)}

# ---- running them ---------------------------------------------------------------------------------------------------

def environment(folder, packages):
    "The interpreter of a virtual environment, made if it is not there."
    python = folder/"bin"/"python"
    if not (folder/"done").exists():
        print(f"making {folder} with {' '.join(packages)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        (folder/"done").touch()
    return python

def measure(args):
    "Run what has not been measured yet; the file holds everything after every run."
    runs = json.loads(args.out.read_text())["runs"] if args.out.exists() else []
    done = {(r["peer"], r["round"]) for r in runs}
    pythons = {"ours": sys.executable, "plain": sys.executable,
               "official": args.official or environment(args.venvs/"official", OFFICIAL),
               "mlx-audio": args.mlx_audio or environment(args.venvs/"mlx-audio", MLX_AUDIO)}
    for i in range(args.rounds):
        for peer in args.only or PEERS:
            if (peer, i) in done: continue
            subprocess.run([sys.executable, "-c", f"x = b'x'*{TOUCHED}"], check=True)   # a virtual machine's memory is slow at first touch
            for f in args.folder.rglob("*.safetensors"): f.read_bytes()                 # so that each finds it in memory
            begun = time.perf_counter()
            argv = [pythons[peer], __file__, args.folder, "--one", peer, "--round", i, "--frames", args.frames]
            r = subprocess.run([str(o) for o in argv], stdout=subprocess.PIPE, text=True)
            if r.returncode: sys.exit(f"{peer} failed: see above")
            runs.append({"peer": peer, "round": i} | json.loads(r.stdout.splitlines()[-1]))
            args.out.write_text(json.dumps({"runs": runs}, indent=1) + "\n")
            print(f"round {i+1}, {peer}: {time.perf_counter()-begun:.0f} s", file=sys.stderr)
    return runs

# ---- what came out --------------------------------------------------------------------------------------------------

def figures(runs, peer):
    "Medians over the rounds of every figure of a peer, by its path: {'load.seconds': ...}; whatever was found only once as it is."
    found = {}
    def walk(at, v):
        if isinstance(v, dict): [walk(f"{at}.{k}" if at else k, o) for k, o in v.items()]
        else: found.setdefault(at, []).append(v)
    for r in runs:
        if r["peer"] == peer: walk("", {k: v for k, v in r.items() if k not in ("peer", "round")})
    return {k: median(v) if all(isinstance(o, (int, float)) for o in v) else v[-1] for k, v in found.items()}

def marks(runs):
    "(what is asked for, seconds a frame of each peer, the least they could be), the first a list of dicts."
    us, them, mlx, bare = (figures(runs, o) for o in ("ours", "official", "mlx-audio", "plain"))
    peers, rows = dict(ours=us, official=them, mlx=mlx), []
    for o in peers.values():
        if "step" in o: o["frame"] = o["step"] + o["decode"]/DECODED
    def mark(what, ratio, limit, path=None, form="{:,.2f} s", scale=1, most=True):
        "Note a mark; `path` is a figure of every peer that has it."
        said = {k: form.format(scale*o[path]) if path in o else "" for k, o in peers.items()}
        rows.append(said | dict(what=what, ratio=ratio, mark=limit, at="most" if most else "least",
                                met=bool(ratio <= limit if most else ratio >= limit)))
    floor = us["bytes"]/us["bandwidth"]
    mark(f"a frame, to the floor of {1000*floor:,.0f} ms", us["frame"]/floor, 1.4, "frame", "{:,.0f} ms", 1000)
    if them: mark("a frame, to official", us["frame"]/them["frame"], .7, "frame", "{:,.0f} ms", 1000)
    if mlx: mark("a frame, to mlx-audio", us["frame"]/mlx["frame"], 1/12, "frame", "{:,.0f} ms", 1000)
    if them:
        mark("loading from bfloat16, to official", us["load.seconds"]/them["load.seconds"], 1.5, "load.seconds")
        mark(f"decoding {DECODED} frames, to official", us["decode"]/them["decode"], .7, "decode")
        mark("encoding 5 s, to official", us["encode"]/them["encode"], 1., "encode")
    mark("most memory while loading, to the weights", us["load.peak"]/us["load.weights"], 1.15, "load.peak", "{:.2f} GB", 1e-9)
    share = us["decode"]/DECODED
    for n in (1, 4): us[f"all.{n}"] = us[f"batch.{n}"]/(1 + us[f"batch.{n}"]*share)
    mark("frames a second of four texts at once, to one", us["all.4"]/us["all.1"], 2.5, "all.4", "{:.2f}", most=False)
    mark("the same without the codec", us["batch.4"]/us["batch.1"], 2.5, "batch.4", "{:.2f}", most=False)
    mark("streaming, to not streaming", us["streaming.chunks"]/us["streaming.whole"], 1.05, "streaming.chunks")
    if "talker.20" in us:
        mark("a frame at column 1,500, to column 20", 1 + (us["talker.1500"]-us["talker.20"])/1000/us["frame"], 1.1)
    if "primitives" in mlx and "primitives" in us:
        from qwen3tts.bench import VIEWS
        mlx["primitives"] = sum(o not in VIEWS for o in mlx["primitives"])
        mark("primitives of a frame, to mlx-audio", us["primitives"]/mlx["primitives"], .5, "primitives", "{:,.0f}")
    if bare: mark("packaged model without MKL, to real time", bare["rtf"], .5)
    return rows, {k: o["frame"] for k, o in peers.items() if "frame" in o}, floor

HEAD = "| | this package | official | mlx-audio | ratio | mark | met |\n|---|---|---|---|---|---|---|"

def markdown(row):
    "A mark as a row of the table that HEAD begins."
    limit = f"{'at most' if row['at'] == 'most' else 'at least'} {row['mark']:.2f}"
    return "| " + " | ".join([row["what"], row["ours"], row["official"], row["mlx"], f"{row['ratio']:.2f}", limit,
                              "yes" if row["met"] else "**no**"]) + " |"

def report(runs):
    "Print the tables, the marks as Markdown; the same as plain values."
    rows, frame, floor = marks(runs)
    print(f"{'':<12} {'frame ms':>9} {'step ms':>9} {'load s':>8} {'peak GB':>8} {'decode s':>9} {'encode s':>9}")
    for peer, name in (("ours", "ours"), ("official", "official"), ("mlx-audio", "mlx")):
        o = figures(runs, peer)
        if o: print(f"{peer:<12} {1000*frame[name]:9.1f} {1000*o['step']:9.1f} {o['load.seconds']:8.2f} {o['load.peak']/1e9:8.2f} "
                    f"{o['decode']:9.2f} {o['encode']:9.2f}")
    print(f"floor        {1000*floor:9.1f}\n\n{HEAD}", *map(markdown, rows), sep="\n")
    return dict(frame=frame, floor=floor, marks=rows)

if __name__ == "__main__":
    ask = argparse.ArgumentParser(description="Measure qwen3tts beside its peers.")
    ask.add_argument("folder", type=Path, help="a checkpoint of kind custom_voice, from make_random.py")
    ask.add_argument("--out", type=Path, default=Path("peers.json"), help="what was measured; a run goes on with what it lacks")
    ask.add_argument("--venvs", type=Path, default=Path(".venv-peers"), help="where the peers' environments are, or are made")
    ask.add_argument("--official", type=Path, help="an interpreter that has qwen-tts, instead of an environment of its own")
    ask.add_argument("--mlx-audio", type=Path, help="the same for mlx-audio")
    ask.add_argument("--rounds", type=int, default=3)
    ask.add_argument("--frames", type=int, default=16, help="frames to speak in a round")
    ask.add_argument("--only", nargs="+", choices=PEERS, help="measure only these")
    ask.add_argument("--one", choices=PEERS, help=argparse.SUPPRESS)
    ask.add_argument("--round", type=int, default=0, help=argparse.SUPPRESS)
    args = ask.parse_args()
    if args.one: print("\n" + json.dumps(PEERS[args.one](args.folder, args.frames, args.round == 0)))
    else:
        runs = measure(args)
        args.out.write_text(json.dumps({"runs": runs} | report(runs), indent=1) + "\n")
