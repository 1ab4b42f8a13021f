"""Make the reference values of this folder with the official PyTorch package.

The notebooks compare the MLX implementation with numbers stored here, and need neither PyTorch nor
the official package to read them. To make everything again (half a minute on one CPU core, about 1 GB of memory):

    python -m venv ref && . ref/bin/activate
    pip install torch==2.13.0 transformers==4.57.3 librosa==0.11.0 soundfile==0.14.0 einops
    pip install --no-deps qwen-tts==0.1.1
    python qwen3tts/reference/make_reference.py               # or only some topics: make_reference.py mel text

Optional packages that `qwen_tts` imports but does not use here (sox, onnxruntime, torchaudio, gradio) may be absent.
Everything is seeded, so a second run writes the same bytes, and computed in float32 on one CPU thread.

Checkpoints, in the official layout, with random weights rounded to bfloat16:

    base          kind base: predictor narrower than the talker (so the projection exists), speaker encoder, a codec
                  with small windows and 18 stored encoder quantizers, of which 16 are used
    classdefault  kind custom_voice, no codec: 32 code groups, a sliding window in the talker and in the predictor's
                  second layer, equal widths, and many config keys left out so that the official defaults apply
    package       (only named here, not stored) the checkpoint inside the Python package, `qwen3tts/tiny`

Values, one file per topic: mel, transformer, encoder, decoder, speaker, talker, predictor, prompt, generate, finetune
(.safetensors with float32, int32, and int16 for sound: divide by 32767), text.json, info.json. A .safetensors file has one metadata entry,
`meta`, holding JSON: `notes`, and `cases`, a list of {name, checkpoint, ...}. The tensors of a case are called NAME.what.
In `prompt` and `generate` a case names the official `method` and its `args`; `args.ref_audio` holds names of tensors, 24 kHz.
Arrays are [time, channels]; a leading batch axis exists only where the notes say so. By the qwen3tts authors.
"""
import hashlib, importlib.machinery, importlib.metadata, importlib.util, json, shutil, sys, tempfile, types
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import librosa, numpy as np, torch, transformers
from safetensors.torch import load_file, save_file
from torch import nn
from transformers import AutoProcessor, Qwen2TokenizerFast
from transformers.models.mimi import modeling_mimi

def stub(*names):
    "Put an empty stand-in in the place of each of these modules whose package is not installed."
    class Any(types.ModuleType):
        __path__ = []
        def __getattr__(self, k):
            if k.startswith("__"): raise AttributeError(k)
            return type(k, (), {})
    for name in [o for o in names if importlib.util.find_spec(o.split(".")[0]) is None]:
        sys.modules[name] = Any(name)
        sys.modules[name].__spec__ = importlib.machinery.ModuleSpec(name, None)
        parent, _, child = name.rpartition(".")
        if parent: setattr(sys.modules[parent], child, sys.modules[name])

stub("sox", "onnxruntime", "gradio", "torchaudio", "torchaudio.compliance", "torchaudio.compliance.kaldi")
from qwen_tts import Qwen3TTSModel
from qwen_tts.core import Qwen3TTSTokenizerV2Config, Qwen3TTSTokenizerV2Model
from qwen_tts.core.models import Qwen3TTSConfig, Qwen3TTSForConditionalGeneration
from qwen_tts.core.models.modeling_qwen3_tts import mel_spectrogram

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent/"tiny"
GREEDY = dict(do_sample=False, subtalker_dosample=False)
KIND = dict(generate_custom_voice="custom_voice", generate_voice_design="voice_design", generate_voice_clone="base")
SAMPLE = "She sells fresh fish at the market."      # the first 2.2 s of qwen3tts/sample.flac
LONG = "and a rather longer sentence that goes on for a while after the reference has ended."

# ---- basics --------------------------------------------------------------------------------------------------------

def clip(seed, n):
    "A repeatable sound of `n` samples at 24 kHz, as int16: a rising chirp with a beat, and noise."
    t = np.arange(n)/24000
    x = .35*np.sin(2*np.pi*(140*t + 55*t**2))*(1 + .5*np.sin(2*np.pi*3*t)) + .12*np.sin(2*np.pi*(900*t + 200*t**2))
    return np.round(32767*np.clip(x + .04*np.random.RandomState(seed).randn(n), -1, 1)).astype(np.int16)

def sound(x):
    "int16 to float32, or float32 to int16."
    x = np.asarray(x)
    return x.astype(np.float32)/np.float32(32767) if x.dtype == np.int16 else np.round(32767*x).astype(np.int16)

def save(topic, tensors, cases, notes):
    "Write one topic: tensors as float32, int32 or int16, and the JSON entry `meta`."
    out = {}
    for k, v in sorted(tensors.items()):
        v = torch.as_tensor(v).detach().cpu()
        if v.dtype != torch.int16: v = v.float() if v.is_floating_point() else v.int()
        out[k] = v.contiguous().clone()
    save_file(out, HERE/f"{topic}.safetensors", {"meta": json.dumps(dict(notes=notes, cases=cases), ensure_ascii=False)})

def named(prefix, **tensors):
    "The tensors of a case."
    return {f"{prefix}.{k}": v for k, v in tensors.items()}

def dump(path, obj):
    "Write JSON."
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(obj, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

def first(x):
    "The tensor in a module's output, which may be a tuple or a ModelOutput."
    return x if isinstance(x, torch.Tensor) else x[0]

@contextmanager
def watch(**modules):
    "Record the first row of every named module's input (NAME.in) and output (NAME) while the block runs."
    seen, hooks = {}, []
    for name, m in modules.items():
        def hook(m, args, kw, out, name=name):
            seen[name + ".in"] = first(args or [kw.get("inputs_embeds", kw.get("hidden_states"))])[0].detach().clone()
            seen[name] = first(out)[0].detach().clone()
        hooks.append(m.register_forward_hook(hook, with_kwargs=True))
    try: yield seen
    finally:
        for h in hooks: h.remove()

def randn(seed, *shape):
    "Seeded normal numbers."
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))

# ---- the two random checkpoints ------------------------------------------------------------------------------------

def randomise(model, seed, **gains):
    "Give `model` random weights of a useful scale, rounded to bfloat16; `gains` scale matrices by a part of their name."
    g, new = torch.Generator().manual_seed(seed), {}
    fans = {f"{n}.weight": m.in_channels*m.kernel_size[0]/m.stride[0] for n, m in model.named_modules()
            if isinstance(m, nn.ConvTranspose1d)}
    for name, p in sorted(model.state_dict().items()):
        r, leaf = torch.randn(p.shape, generator=g), name.rpartition(".")[2]
        if leaf == "initialized": v = p
        elif leaf == "cluster_usage": v = .5 + 3*r.abs(); v[1] = 1e-6             # one below the clamp of 1e-5
        elif leaf in ("embed_sum", "embedding_sum"):
            layer = int(name.split("layers.")[1].split(".")[0])
            v = r*.85**layer*new[name.replace(leaf, "cluster_usage")].float().clamp(min=1e-5)[:, None]
        elif leaf == "scale": v = .3 + .3*r.abs()
        elif leaf in ("alpha", "beta", "gamma"): v = .3*r
        elif "embedding" in name: v = r
        elif p.ndim == 1: v = .1*r + (leaf == "weight")*(1.7 if "q_norm" in name or "k_norm" in name else 1)   # sharper attention
        else: v = r/fans.get(name, p[0].numel())**.5
        if p.ndim > 1: v = v*np.prod([s for part, s in gains.items() if part in name] or [1])
        new[name] = v.to(torch.bfloat16)
    model.load_state_dict(new)
    return {k: v.contiguous() for k, v in new.items()}

def write_checkpoint(name, config, codec=None):
    "Write a checkpoint in the official layout, with the vocabulary of the packaged one."
    folder = HERE/name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    dump(folder/"config.json", config)
    dump(folder/"generation_config.json", dict(do_sample=True, repetition_penalty=1.05, temperature=.9, top_p=1., top_k=50,
        subtalker_dosample=True, subtalker_temperature=.9, subtalker_top_p=1., subtalker_top_k=50, max_new_tokens=64))
    for f in "vocab.json", "merges.txt", "tokenizer_config.json", "preprocessor_config.json": shutil.copyfile(PACKAGE/f, folder/f)
    model = Qwen3TTSForConditionalGeneration(Qwen3TTSConfig(**json.loads(json.dumps(config))))
    save_file(randomise(model, 1, codec_head=4, lm_head=4, speaker_encoder=1.15, o_proj=2), folder/"model.safetensors", {"format": "pt"})
    if codec:
        dump(folder/"speech_tokenizer"/"config.json", codec)
        shutil.copyfile(PACKAGE/"speech_tokenizer"/"preprocessor_config.json", folder/"speech_tokenizer"/"preprocessor_config.json")
        model = Qwen3TTSTokenizerV2Model(Qwen3TTSTokenizerV2Config(**json.loads(json.dumps(codec))))
        gains = {"conv2.conv": .4, "decoder.decoder.6": .1, "encoder.encoder": 1.4}
        save_file(randomise(model, 2, **gains), folder/"speech_tokenizer"/"model.safetensors", {"format": "pt"})

def talker_config(codes, languages, speakers, dialects, text, **kw):
    "The talker part of a config: codec ids follow the `codes`; `kw` overrides or adds."
    ids = "pad bos eos think nothink think_bos think_eos".split()
    special = {f"codec_{n}_{'token_' if n == 'eos' else ''}id": codes + 100 + i for i, n in enumerate(ids)}
    return dict(model_type="qwen3_tts_talker", vocab_size=codes + 1024, text_vocab_size=text, **special,
        codec_language_id={n: codes + 10 + i for i, n in enumerate(languages)},
        spk_id={n: codes + 200 + i for i, n in enumerate(speakers)}, spk_is_dialect=dict(zip(speakers, dialects))) | kw

def checkpoints():
    "Make base/ and classdefault/."
    own = json.loads((PACKAGE/"config.json").read_text())
    shared = {k: own[k] for k in own if k.endswith("token_id")} | dict(architectures=["Qwen3TTSForConditionalGeneration"],
        model_type="qwen3_tts", tokenizer_type="qwen3_tts_tokenizer_12hz", transformers_version="4.57.0")
    text, languages = own["talker_config"]["text_vocab_size"], ["english", "chinese", "sichuan_dialect"]
    predictor = dict(model_type="qwen3_tts_talker_code_predictor", vocab_size=64, hidden_size=24, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, head_dim=16, rope_theta=1000000, num_code_groups=16)
    talker = talker_config(64, languages, [], [], text, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, head_dim=16, rope_theta=1000000, num_code_groups=16, text_hidden_size=40, rms_norm_eps=1e-6, sliding_window=None,
        rope_scaling=dict(interleaved=True, mrope_section=[3, 3, 2], rope_type="default", type="default"), code_predictor_config=predictor)
    speaker = dict(enc_dim=32, enc_channels=[24, 24, 24, 24, 72], enc_attention_channels=16, enc_res2net_scale=4, enc_se_channels=16,
        sample_rate=24000)
    decoder = dict(codebook_size=64, codebook_dim=32, latent_dim=32, hidden_size=40, intermediate_size=64, num_attention_heads=2,
        num_key_value_heads=2, head_dim=16, num_hidden_layers=2, num_quantizers=16, decoder_dim=32, upsample_rates=[8, 5, 4, 3],
        upsampling_ratios=[2, 2], sliding_window=10, rms_norm_eps=1e-5, rope_theta=10000)
    encoder = dict(model_type="mimi", hidden_size=32, num_filters=4, upsampling_ratios=[8, 6, 5, 4], codebook_size=64, codebook_dim=16,
        num_quantizers=18, vector_quantization_hidden_dimension=16, upsample_groups=32, num_hidden_layers=2, intermediate_size=64,
        num_attention_heads=2, num_key_value_heads=2, head_dim=16, sliding_window=20, use_cache=False)
    write_checkpoint("base", shared | dict(tts_model_size="1b7", tts_model_type="base", talker_config=talker, speaker_encoder_config=speaker),
        dict(architectures=["Qwen3TTSTokenizerV2Model"], model_type="qwen3_tts_tokenizer_12hz", encoder_valid_num_quantizers=16,
             decoder_config=decoder, encoder_config=encoder))
    predictor = dict(vocab_size=32, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
        head_dim=24, use_sliding_window=True, sliding_window=8, max_window_layers=1)
    talker = talker_config(32, languages, ["ann", "mei"], [False, "sichuan_dialect"], text, hidden_size=32, intermediate_size=64,
        num_hidden_layers=2, num_attention_heads=4, text_hidden_size=40, use_sliding_window=True, sliding_window=10,
        rope_scaling=dict(type="default", mrope_section=[2, 1, 1], interleaved=False), code_predictor_config=predictor)
    write_checkpoint("classdefault", shared | dict(tts_model_size="1b7", tts_model_type="custom_voice", talker_config=talker))

# ---- running the official package ----------------------------------------------------------------------------------

@contextmanager
def opened(folder):
    "A checkpoint that can clone, as kind base: the official class makes no speaker encoder for the other kinds."
    config = json.loads((folder/"config.json").read_text())
    if "voice" not in config.get("qwen3tts_abilities", ()) or config["tts_model_type"] == "base":
        yield folder
        return
    with tempfile.TemporaryDirectory() as d:
        where = shutil.copytree(folder, Path(d)/folder.name)
        dump(where/"config.json", config | dict(tts_model_type="base"))
        yield where

@cache
def load(name):
    "The official wrapper around a checkpoint, in float32; one without a codec is put together by hand."
    folder = PACKAGE if name == "package" else HERE/name
    if (folder/"speech_tokenizer").exists():
        with opened(folder) as where: return Qwen3TTSModel.from_pretrained(str(where), dtype=torch.float32)
    load("package")                                                              # registers the official classes
    model = Qwen3TTSForConditionalGeneration(Qwen3TTSConfig(**json.loads((folder/"config.json").read_text())))
    model.load_state_dict({k: v.float() for k, v in load_file(folder/"model.safetensors").items()})
    model.load_generate_config(json.loads((folder/"generation_config.json").read_text()))
    model.load_speech_tokenizer(types.SimpleNamespace(decode=lambda x: ([], 24000)))
    return Qwen3TTSModel(model.eval(), AutoProcessor.from_pretrained(str(folder), fix_mistral_regex=True), model.generate_config)

class Captured(Exception): "Ends an official call once its prompt is known."

def call(case, clips=None, prompt_only=False):
    "Run a case's official method; return what talker.generate was given, the clone prompt, the codes and the sound."
    tts, args, seen = load(case["checkpoint"]), dict(case["args"]), {}
    tts.model.tts_model_type = KIND[case["method"]]
    if "ref_audio" in args: args["ref_audio"] = [(sound(clips[n]), 24000) for n in args["ref_audio"]]
    talker, model = tts.model.talker.generate, tts.model.generate
    def spy_talker(**kw):
        seen.update(kw)
        if prompt_only: raise Captured
        return talker(**kw)
    def spy_model(**kw):
        seen["clone"] = kw.get("voice_clone_prompt")
        seen["codes"], hidden = model(**kw)
        return seen["codes"], hidden
    tts.model.talker.generate, tts.model.generate = spy_talker, spy_model
    try: seen["wavs"] = getattr(tts, case["method"])(**args)[0]
    except Captured: pass
    finally: del tts.model.talker.generate, tts.model.generate
    return seen

def case(name, checkpoint, method, text, **args):
    "One call of an official method. `whole` is short for non_streaming_mode."
    if "whole" in args: args["non_streaming_mode"] = args.pop("whole")
    return dict(name=name, checkpoint=checkpoint, method=f"generate_{method}", args=dict(text=text, **args))

def own_recording():
    "The shortest .wav file in the package's checkpoint folder, or None."
    return min(PACKAGE.rglob("*.wav"), key=lambda f: (f.stat().st_size, f.name), default=None)

def clips(cases=()):
    "The reference recordings that `cases` use; the package's own may stand in its folder, its words beside it in a .txt file."
    out, own = dict(clip_a=clip(1, 21000), clip_b=clip(2, 12345)), own_recording()
    out["clip_sample"] = sound(librosa.load(HERE.parent/"sample.flac", sr=24000)[0])[2400:52800]
    if own: out["clip_package"] = sound(librosa.load(own, sr=24000)[0])
    return {n: x for n, x in out.items() if not cases or any(n in c["args"].get("ref_audio", []) for c in cases)}

def package_cases(prompts):
    "Cases for whatever kind of checkpoint the package holds, and for the other modes that its `qwen3tts_abilities` names."
    m, config = load("package").model, json.loads((PACKAGE/"config.json").read_text())
    kind = config["tts_model_type"]
    names, own, out = list(m.config.talker_config.spk_id)[:1 if prompts else 3], own_recording(), []
    texts, lang = ["Good morning.", "See you tomorrow.", "It is a nice day today."], dict(language=[*m.supported_languages, "auto"][1])
    if kind == "custom_voice": one, two = dict(speaker=names[0]) | lang, dict(speaker=[names[0], names[-1]]) | lang
    elif kind == "voice_design": one, two = dict(instruct="A calm voice.") | lang, dict(instruct=["A calm voice.", ""]) | lang
    else:
        words = own.with_suffix(".txt").read_text().strip() if own and own.with_suffix(".txt").exists() else "Good afternoon."
        one = two = dict(ref_audio=["clip_package" if own else "clip_a"], ref_text=words) | lang
    def add(name, text, **kw): out.append(case(f"package_{name}", "package", kind.replace("base", "voice_clone"), text, **kw))
    for layout, whole in dict(whole=True, streaming=False).items():
        if kind == "custom_voice":
            for who, text in zip(names, texts): add(f"{who}_{layout}", text, **one | dict(speaker=who), whole=whole)
        else: add(layout, texts[0], **one, whole=whole)
        if kind == "base": add(f"x_vector_{layout}", texts[1], **one, x_vector_only_mode=True, whole=whole)
        add(f"batch_{layout}", texts[::2], **two, whole=whole)
    add("auto", texts[0], **one | dict(language="auto"))
    if kind == "custom_voice": add("instruct", texts[0], **one, instruct="Speak slowly.")
    others = [o for o in config.get("qwen3tts_abilities", ()) if o != dict(custom_voice="speaker", voice_design="design", base="voice")[kind]]
    def more(name, method, text, **kw): out.append(case(f"package_{name}", "package", method, text, **kw | lang))
    if "design" in others: more("design_batch", "voice_design", texts[:2], instruct=["A deep man.", "The voice of a high woman."])
    if "voice" in others:
        for layout, whole in dict(whole=True, streaming=False).items():
            more(f"clone_{layout}", "voice_clone", texts[0], ref_audio=["clip_sample"], ref_text=SAMPLE, whole=whole)
            more(f"clone_x_vector_{layout}", "voice_clone", texts[1], ref_audio=["clip_sample"], x_vector_only_mode=True, whole=whole)
    if not prompts:
        for c in out: c["args"] |= dict(max_new_tokens=64, **GREEDY)
        add("limit", texts[2], **one, max_new_tokens=8, **GREEDY)
        add("penalty", texts[2], **one, max_new_tokens=27, repetition_penalty=1.3, **GREEDY)
    return out

def small_cases(prompts):
    "Cases for classdefault/ (custom voice, voice design) and base/ (clones)."
    out = []
    def add(n, **kw):
        "All variants are prompts; only those marked with `n` frames are also spoken."
        if prompts or n: out.append(case(**kw) if prompts else case(**kw, max_new_tokens=n, **GREEDY))
    def cv(name, text="Good morning.", n=0, **kw): add(n, name=f"custom_{name}", checkpoint="classdefault", method="custom_voice", text=text, **kw)
    def vd(name, text="Good morning.", n=0, **kw): add(n, name=f"design_{name}", checkpoint="classdefault", method="voice_design", text=text, **kw)
    def vc(name, text="Good morning.", n=0, **kw): add(n, name=f"clone_{name}", checkpoint="base", method="voice_clone", text=text, **kw)
    two, a, b = ["Yes, of course.", "See you tomorrow, then."], dict(ref_audio=["clip_a"]), dict(ref_audio=["clip_a", "clip_b"])
    cv("english", speaker="ann", language="English", n=16)
    cv("auto", speaker="Ann")
    cv("streaming", speaker="ann", language="english", whole=False, n=16)
    cv("instruct", speaker="ann", language="english", instruct="Speak slowly.")
    cv("instruct_streaming", speaker="ann", instruct="Speak slowly.", whole=False, n=16)
    cv("dialect_auto", speaker="mei", language="auto")
    cv("dialect_chinese", "你好，世界。", speaker="mei", language="chinese")
    cv("dialect_english", speaker="mei", language="english")
    for layout, whole in dict(whole=True, streaming=False).items():
        cv(f"batch_{layout}", two, speaker=["ann", "mei"], language=["english", "auto"], instruct=["", "Speak slowly."], whole=whole, n=16)
    vd("english", instruct="A calm voice.", language="english", n=16)
    vd("no_instruct", instruct="", language="english")
    vd("streaming", instruct="A calm voice.", whole=False)
    vd("batch", two, instruct=["A calm voice.", ""], language=["english", "chinese"], n=16)
    vc("x_vector", **a, x_vector_only_mode=True, language="english", n=16)
    vc("x_vector_auto_whole", **a, x_vector_only_mode=True, whole=True)
    vc("icl_shorter", "Yes.", **a, ref_text="Hi.", language="english", n=16)
    vc("icl_longer", LONG, **a, ref_text="A short sentence,", language="english", n=16)
    vc("icl_whole", "Yes, of course.", **a, ref_text="A short sentence.", language="chinese", whole=True, n=16)
    vc("icl_batch", [two[0], LONG], **b, ref_text=["A short sentence.", "Hi."], language="english", n=12)
    vc("mixed_batch", two, **b, ref_text=["A short sentence.", ""], x_vector_only_mode=[False, True], n=12)
    return out

# ---- topics --------------------------------------------------------------------------------------------------------

def mel():
    "The speaker encoder's mel spectrogram, and librosa's resampling to 24 kHz."
    wav = clip(3, 24000)
    out = {"wav": wav, "mel": mel_spectrogram(torch.tensor(sound(wav))[None], n_fft=1024, num_mels=128, sampling_rate=24000, hop_size=256,
                                              win_size=1024, fmin=0, fmax=12000)[0].T}
    for rate in (8000, 16000, 44100, 48000):
        out[f"resample_{rate}.in"] = x = clip(4, rate//16)
        out[f"resample_{rate}"] = librosa.resample(y=sound(x), orig_sr=rate, target_sr=24000)
    save("mel", out, [dict(name=f"resample_{r}", rate=r) for r in (8000, 16000, 44100, 48000)],
         "wav int16 [24000], mel [frames, 128]; resample_RATE.in int16 [n] at RATE, resample_RATE [m] at 24 kHz (librosa default, soxr_hq).")

def transformer():
    "One decoder layer of every kind on random input."
    out, cases = {}, []
    for name in ("base", "classdefault"):
        m = load(name).model
        parts = dict(talker=m.talker.model, predictor=m.talker.code_predictor.model)
        if name == "base":
            codec = m.speech_tokenizer.model
            parts |= dict(codec_decoder=codec.decoder.pre_transformer, codec_encoder=codec.encoder.encoder_transformer)
        for i, (part, module) in enumerate(parts.items()):
            last = len(module.layers) - 1
            x = randn(10 + i, 1, 40, module.config.latent_dim if part == "codec_decoder" else module.config.hidden_size)
            with watch(layer=module.layers[last]) as seen: module(x) if part == "codec_encoder" else module(inputs_embeds=x)
            out |= {f"{name}_{part}.in": seen["layer.in"], f"{name}_{part}": seen["layer"]}
            cases.append(dict(name=f"{name}_{part}", checkpoint=name, part=part, layer=last))
    save("transformer", out, cases, "NAME.in and NAME [40, hidden]: input and output of layer `layer` of that part, positions from 0.")

def encoder():
    "Sound to codes: short clips with what comes between, a batch of unequal lengths, and a clip of more than ten seconds."
    out, cases = {"clip_a": clip(1, 17001), "clip_b": clip(2, 9000)}, []
    for name in ("base", "package"):
        tok = load(name).model.speech_tokenizer
        m = tok.model.encoder
        def encode(*wavs): return tok.encode([sound(w) for w in wavs], sr=24000).audio_codes
        for n in ("clip_a", "clip_b"):
            with watch(conv=m.encoder, transformer=m.encoder_transformer, latent=m.downsample) as seen: codes, = encode(out[n])
            out |= named(f"{name}_{n}", conv=seen["conv"].T, transformer=seen["transformer"], latent=seen["latent"].T, codes=codes)
            cases.append(dict(name=f"{name}_{n}", checkpoint=name, wav=n))
        for i, codes in enumerate(encode(out["clip_a"], out["clip_b"])): out[f"{name}_batch.codes.{i}"] = codes
        alone = encode(out["clip_b"])[0]
        cases.append(dict(name=f"{name}_batch", checkpoint=name, wav=["clip_a", "clip_b"],
                          frames_of_row_1_unlike_alone=(codes != alone).any(1).nonzero().flatten().tolist()))
        long = clip(5, 252001)
        with watch(transformer=m.encoder_transformer, latent=m.downsample) as seen: codes, = encode(long)
        plain = modeling_mimi.create_causal_mask
        modeling_mimi.create_causal_mask = transformers.masking_utils.create_sliding_window_causal_mask
        try: windowed, = encode(long)
        finally: modeling_mimi.create_causal_mask = plain
        out |= named(f"{name}_long", codes=codes, latent_tail=seen["latent"].T[-4:], transformer_tail=seen["transformer"][-4:])
        cases.append(dict(name=f"{name}_long", checkpoint=name, seed=5, samples=252001, frames=len(codes),
                          frames_a_window_would_change=int((codes != windowed).any(1).sum())))
    save("encoder", out, cases, "wav int16; conv and transformer [25 Hz steps, hidden], latent [frames, hidden] (before the quantizer), codes [frames, "
         "16]. NAME_batch.codes.ROW: the rows encoded together, zeros after the shorter. NAME_long: the wav is not stored; with numpy: "
         "t = arange(samples)/24000; x = .35*sin(2*pi*(140*t + 55*t**2))*(1 + .5*sin(2*pi*3*t)) + .12*sin(2*pi*(900*t + 200*t**2)) + "
         ".04*random.RandomState(seed).randn(samples); wav = round(32767*clip(x, -1, 1))/32767. The official encoder never applies the sliding_window of "
         "its config: attention is causal over the whole clip. Two codebook entries can be equally near to within 1e-5: allow a few codes to differ.")

def decoder():
    "Codes to sound, stage by stage; a batch padded with -1."
    out, cases = {}, []
    for name in ("base", "package"):
        tok = load(name).model.speech_tokenizer
        m, size = tok.model.decoder, tok.model.config.decoder_config.codebook_size
        codes = torch.from_numpy(np.random.RandomState(6).randint(0, size, (26, 16)))
        if name == "package":
            own = call(package_cases(False)[-1], clips())["codes"][0][:26]
            codes[:len(own)] = own
        codes[3, 0] = 0                                                           # a real code, not padding
        stages = {f"upsample_{i}": u[-1] for i, u in enumerate(m.upsample)} | {f"decoder_{i}": d for i, d in enumerate(m.decoder)}
        with watch(pre_conv=m.pre_conv, pre_transformer=m.pre_transformer, **stages) as seen: wav = tok.decode(dict(audio_codes=codes))[0][0]
        out |= named(name, codes=codes, quantizer=seen["pre_conv.in"].T, pre_conv=seen["pre_conv"].T, pre_transformer=seen["pre_transformer"],
                     audio=sound(wav), **{k: seen[k].T[-64:] for k in stages})
        cases.append(dict(name=name, checkpoint=name, stages=list(stages)))
        rows = [codes[:7], codes[10:14]]
        out[f"{name}_batch.codes"] = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=-1)
        for i, wav in enumerate(tok.decode([dict(audio_codes=r) for r in rows])[0]): out[f"{name}_batch.audio.{i}"] = sound(wav)
        cases.append(dict(name=f"{name}_batch", checkpoint=name))
    save("decoder", out, cases, "codes [frames, 16]; quantizer, pre_conv, pre_transformer [frames, width]; every stage of `stages` (upsample_I after its "
         "ConvNeXt; decoder_I is decoder.decoder.I, the last one before the final clip) cut to its last 64 steps; audio int16 [frames*1920]. "
         "NAME_batch.codes [2, 7, 16] padded with -1, NAME_batch.audio.ROW.")

def speaker():
    "The speaker encoder, in every checkpoint that has one."
    out, cases = {}, []
    for name in ("base", "package"):
        m = load(name).model.speaker_encoder
        if m is None: continue
        wav = clip(7, 20000)
        with watch(block_0=m.blocks[0], block_1=m.blocks[1], block_3=m.blocks[3], mfa=m.mfa, pooled=m.asp) as seen:
            x = load(name).model.extract_speaker_embedding(sound(wav), 24000)
        out |= named(name, wav=wav, mel=seen["block_0.in"].T, pooled=seen["pooled"][:, 0], x_vector=x,
                     **{k: seen[k].T[:24] for k in ("block_0", "block_1", "block_3", "mfa")})
        cases.append(dict(name=name, checkpoint=name))
    save("speaker", out, cases, "wav int16, mel [frames, 128], block_0, block_1, block_3 and mfa [first 24 frames, channels], pooled [2*channels] "
         "(mean, then standard deviation), x_vector [enc_dim].")

def pairs():
    "For every checkpoint a single prompt and a batch of unequal ones, as the talker sees them."
    cases = {c["name"]: c for c in small_cases(True) + package_cases(True)}
    own = list(o for o in cases if o.startswith("package_"))
    chosen = dict(base=("clone_icl_longer", "clone_icl_batch"), classdefault=("custom_english", "custom_batch_streaming"),
                  package=(own[0], next(o for o in own if "batch" in o)))
    for name, two in chosen.items(): yield name, *[call(cases[c], clips(), prompt_only=True) for c in two]

def talker():
    "Prompt in, hidden states and logits out; also a left-padded batch."
    out, cases = {}, []
    for name, one, batch in pairs():
        t = load(name).model.talker
        r = t.model(inputs_embeds=one["inputs_embeds"], use_cache=False).last_hidden_state[0]
        out |= named(name, inputs_embeds=one["inputs_embeds"][0], hidden=r, logits=t.codec_head(r[-4:]))
        mask, x = batch["attention_mask"], batch["inputs_embeds"]
        r = t(inputs_embeds=x, attention_mask=mask, output_hidden_states=True, use_cache=False)
        out |= named(f"{name}_batch", inputs_embeds=x, attention_mask=mask, positions=t.get_rope_index(mask)[0][0].int(),
                     hidden=r.hidden_states[0][-1], logits=r.logits[:, -1])
        cases += [dict(name=name, checkpoint=name), dict(name=f"{name}_batch", checkpoint=name)]
    save("talker", out, cases, "inputs_embeds and hidden (after the last norm) [T, H]; logits of the last 4 positions [4, V]. NAME_batch has a leading "
         "batch axis: inputs_embeds [B, T, H], attention_mask and positions [B, T], hidden [B, T, H] (meaningless where the mask is 0), logits of the last position [B, V].")

def predictor():
    "One frame: talker's hidden state and code 0 in, the other codes out; logits with the codes given, and greedy codes."
    out, cases = {}, []
    for name, one, _ in pairs():
        t = load(name).model.talker
        config = t.config.code_predictor_config
        h = t.model(inputs_embeds=one["inputs_embeds"], use_cache=False).last_hidden_state[0, -4:]
        codes = torch.from_numpy(np.random.RandomState(8).randint(0, config.vocab_size, (4, t.config.num_code_groups)))
        x = torch.stack([h, t.get_input_embeddings()(codes[:, 0])], 1)
        greedy = t.code_predictor.generate(inputs_embeds=x, max_new_tokens=codes.shape[1] - 1, do_sample=False)
        out |= named(name, hidden=h, codes=codes, logits=t.forward_sub_talker_finetune(codes, h)[0], greedy=torch.cat([codes[:, :1], greedy], 1))
        cases.append(dict(name=name, checkpoint=name))
    save("predictor", out, cases, "Four frames side by side: hidden [4, H], codes [4, G] (random), logits [4, G-1, V] of codes 1.. given all codes before "
         "them, greedy [4, G]: code 0 as given, the rest chosen greedily.")

def prompt():
    "The prompt of every mode, exactly as the official package hands it to its talker."
    cases = small_cases(True) + package_cases(True)
    out = clips(cases)
    for c in cases:
        seen, n = call(c, out, prompt_only=True), c["name"]
        out |= named(n, inputs_embeds=seen["inputs_embeds"], attention_mask=seen["attention_mask"], trailing=seen["trailing_text_hidden"])
        out[f"{c['checkpoint']}.tts_pad"] = seen["tts_pad_embed"][0, 0]
    for c in [o for o in cases if "ref_audio" in o["args"]]:
        m = load(c["checkpoint"]).model
        for n in c["args"]["ref_audio"]:
            x = sound(out[n])
            out |= named(f"{n}.{c['checkpoint']}", codes=m.speech_tokenizer.encode(x, sr=24000).audio_codes[0],
                         x_vector=m.extract_speaker_embedding(x, 24000))
    save("prompt", out, cases, "All with a leading batch axis: inputs_embeds [B, T, H] (left-padded), attention_mask [B, T], trailing [B, N, H] (what is added to "
         "the frames' embeddings, then tts_pad for ever; shorter rows are filled with it). CHECKPOINT.tts_pad [H]; CLIP int16 24 kHz; CLIP.CHECKPOINT.codes and "
         ".x_vector: what the clip alone encodes to (in a batch the last frame of a shorter clip can differ).")

def generate():
    "Greedy speech: codes of every case, and the sound where a codec exists."
    cases = small_cases(False) + package_cases(False)
    out, short = clips(cases), None
    for c in cases:
        seen, n = call(c, out), c["name"]
        for i, codes in enumerate(seen["codes"]): out[f"{n}.codes.{i}"] = codes
        c["frames"] = [len(o) for o in seen["codes"]]
        c["trailing"], c["prompt"] = seen["trailing_text_hidden"].shape[1], seen["attention_mask"].sum(1).tolist()
        for i, codes in enumerate(seen["clone"]["ref_code"] if seen["clone"] else ()):
            if codes is not None: out[f"{n}.ref_codes.{i}"] = codes
        if c["checkpoint"] == "base":
            for i, wav in enumerate(seen["wavs"]): out[f"{n}.audio.{i}"] = sound(wav)
        elif c["checkpoint"] == "package" and len(seen["codes"]) == 1 and c["args"]["max_new_tokens"] == 64 and not seen["clone"]:
            if short is None or len(seen["wavs"][0]) < len(short[1]): short = n, seen["wavs"][0]
    out[f"{short[0]}.audio_float.0"] = short[1][:36000]
    save("generate", out, cases, "NAME.codes.ROW [frames, G]; for a clone with a transcript NAME.ref_codes.ROW; for base NAME.audio.ROW int16 (the reference "
         "already cut off). One case of the package has audio_float.0, float32, at most 1.5 s. `frames`, `prompt` and `trailing` are lengths; "
         "max_new_tokens N gives at most N-1 frames.")

STRINGS = [
    "Hello world.", "I'm sure they'd've said we'll, don't, HE'S and it'S.", "", " ", "  two  spaces  inside ", " lead", "trail ",
    "\nnewline first", "\n\n  a\n b \n", "tab\tand\t\ttabs", "line one\r\nline two\r\n", "\r\rx", "3.14159 and 1,000,000",
    "2024-12-31 at 07:45", "room101b", "x²+y³=½", "café", "cafe\u0301", "e\u0301\u0300 o\u0308\u0323", "Å\u212b\u2126", "你好，世界！今天是2024年。",
    "東京タワーへ行きましょう。", "か\u3099き\u309a", "안녕하세요 여러분", "\u1112\u1161\u11ab글", "مرحبا بالعالم ١٢٣", "ש\u05b8\u05c1לו\u05b9ם",
    "नमस\u094dते दुनिया", "สวัสดีครับ", "Привет, мир!", "Ελληνικά", "😀👍🏽 family 👨\u200d👩\u200d👧 flag 🇫🇷",
    "zero\u200bwidth\u200dand\ufeffBOM", "non\u00a0breaking\u2003em", "a…b—c–d “quoted” ‘single’ ’s", "what?!?! (really) [yes] {no}",
    "https://example.org/a_b?c=d&e=%20f", "snake_case camelCase ALLCAPS", "<|im_start", "|im_end|>", "<|im_end |> <tts_pad >",
    "<|IM_END|><TTS_PAD>", "assistant\nuser\n", "'s 'S 't 're", "!!!\n\n???", "a\u0000b\u0007c", "ﬁ ﬂ ™ ①",
    "日本語 mixed with English123 và tiếng Việt"]

def text():
    "Token ids of awkward strings, with the packaged vocabulary and Qwen2's split pattern."
    tts, plain, cases = load("package"), Qwen2TokenizerFast.from_pretrained(str(PACKAGE)), []
    def ids(wrapped):
        "The official ids, which must be those of the published pattern: config.json can make transformers change it."
        out = tts._tokenize_texts([wrapped])[0][0].tolist()
        if out != plain(wrapped)["input_ids"]: raise ValueError(f"another split pattern is in force: {wrapped!r}")
        return out
    for s in STRINGS:
        wrapped = ids(tts._build_assistant_text(s))
        cases.append(dict(text=s, wrapped=wrapped, slice=wrapped[3:-5], plain=plain(s)["input_ids"],
                          instruct=ids(tts._build_instruct_text(s)), reference=ids(tts._build_ref_text(s))[3:-2]))
    dump(HERE/"text.json", dict(notes="wrapped: ids of the assistant text, slice: its [3:-5], plain: ids of the bare text, instruct: ids of the whole "
                                "instruction, reference: the reference text's [3:-2].", cases=cases))

def info():
    "Versions, and which packaged checkpoint the values belong to."
    files = sorted(f for f in PACKAGE.rglob("*") if f.suffix in (".safetensors", ".json", ".txt", ".wav"))
    sha = {f.relative_to(PACKAGE).as_posix(): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}
    versions = {n: importlib.metadata.version(n) for n in ("qwen-tts", "torch", "transformers", "librosa", "numpy", "tokenizers")}
    dump(HERE/"info.json", dict(package_sha256=sha, versions=versions, command="python qwen3tts/reference/make_reference.py"))

def teach(t, x, mask, labels, codes, shifts=1, seen=False, sub_shifts=0):
    """The official classes' teacher-forced losses of a batch: of first codes, and of the others of every frame. Right: labels move by one, which
    the official loss does itself; the predictor gets the hidden state before the frame, and its labels stay. The rest are faults."""
    more, at = shifts - 1, (labels != -100) & (labels != t.config.codec_eos_token_id)   # where frames stand
    r = t(inputs_embeds=x[:, :x.shape[1] - more], attention_mask=mask[:, :x.shape[1] - more], labels=labels[:, more:], output_hidden_states=True, use_cache=False)
    hidden = r.hidden_states[0][-1]
    h = hidden[at[:, :hidden.shape[1]]] if seen else hidden[:, :-1][at[:, 1:hidden.shape[1]]]
    inputs = [h, t.get_input_embeddings()(codes[:, 0])] + [e(c) for e, c in zip(t.code_predictor.get_input_embeddings(), codes[:, 1:-1].T)]
    still = {} if sub_shifts else dict(shift_labels=codes[:, 1:].contiguous())
    return r.loss, t.code_predictor.forward_finetune(inputs_embeds=torch.stack(inputs, 1), labels=codes[:, 1:], **still)

FAULTS = dict(right={}, shifted_twice=dict(shifts=2), hidden_after=dict(seen=True), labels_shifted=dict(sub_shifts=1), no_projection={},
              script=dict(shifts=2, seen=True, sub_shifts=1))     # the script: all of them

def finetune():
    "Three utterances of a voice known by its x-vector, taught: losses, and what they become by each fault of the official finetuning script."
    out, cases, rng = {}, [], np.random.RandomState(9)
    texts = ["Good morning.", "She sells fresh fish at the market.", "Yes."]
    for name in ("base", "package"):
        tts = load(name)
        m, t, c = tts.model, tts.model.talker, tts.model.config
        v = m.extract_speaker_embedding(sound(clips()["clip_sample"]), 24000)
        if name == "package": frames = call(case("", name, "voice_clone", texts, ref_audio=["clip_sample"], x_vector_only_mode=True, max_new_tokens=64, **GREEDY), clips())["codes"]
        else: frames = [torch.from_numpy(rng.randint(0, c.talker_config.code_predictor_config.vocab_size, (n, 16))) for n in (9, 14, 5)]
        k, rows = c.talker_config, {True: [], False: []}
        before = torch.tensor([k.codec_nothink_id, k.codec_think_bos_id, k.codec_think_eos_id])
        embed = t.get_input_embeddings()
        for text, f in zip(texts, frames):
            ids, n = tts._tokenize_texts([tts._build_assistant_text(text)])[0][0], len(f)
            words = torch.cat([ids[3:-5], torch.tensor([c.tts_eos_token_id])])
            written = torch.cat([ids[:3], torch.tensor([c.tts_pad_token_id]*4 + [c.tts_bos_token_id]), words, torch.tensor([c.tts_pad_token_id]*(n + 1))])
            control = embed(torch.tensor([k.codec_pad_id]*(len(words) + 1) + [k.codec_bos_id]))
            spoken = embed(f[:, 0]) + sum(e(o) for e, o in zip(t.code_predictor.get_input_embeddings(), f[:, 1:].T))
            heard = torch.cat([torch.zeros(3, control.shape[1]), embed(before), v[None], control, spoken])
            labels = torch.full((len(written),), -100)
            labels[-n:] = f[:, 0]
            plain = t.model.text_embedding(written)
            for project in rows:
                if project or plain.shape == heard.shape:
                    x = (t.text_projection(plain) if project else plain) + heard
                    x = torch.cat([x, embed(torch.tensor([k.codec_eos_token_id]))])     # only its label counts
                    rows[project].append((x, torch.cat([labels, torch.tensor([k.codec_eos_token_id])])))
        pad = lambda o, value=0: nn.utils.rnn.pad_sequence(o, batch_first=True, padding_value=value)
        codes = torch.cat(list(frames))
        for fault, how in FAULTS.items():
            some = rows[not (fault in ("no_projection", "script") and rows[False])]
            if fault == "no_projection" and not rows[False]: continue
            x, labels = pad([o[0] for o in some]), pad([o[1] for o in some], -100)
            mask = pad([torch.ones(len(o[0]), dtype=torch.long) for o in some])
            first, rest = teach(t, x, mask, labels, codes, **how)
            each = nn.functional.cross_entropy(rest.logits.transpose(1, 2), codes[:, 1:], reduction="none").mean(0)
            out |= named(f"{name}.{fault}", first=first, rest=rest.loss, each=each)
        out |= named(name, x_vector=v) | {f"{name}.codes.{i}": f for i, f in enumerate(frames)}
        cases.append(dict(name=name, checkpoint=name, texts=texts, faults=[f for f in FAULTS if f"{name}.{f}.first" in out]))
    save("finetune", out, cases, "CHECKPOINT.codes.ROW [T, 16] of the texts, CHECKPOINT.x_vector [H]. CHECKPOINT.FAULT.first and .rest: losses of the batch, means over "
         "all its steps (the end is one) and over all later codes; .each [15]: the later codes one by one, unshifted. `script`: all faults at once "
         "(in base without no_projection, which needs text embeddings as wide as the talker).")

TOPICS = {f.__name__: f for f in (mel, transformer, encoder, decoder, speaker, talker, predictor, prompt, generate, finetune, text, info)}

def main(*topics):
    "Make the checkpoints and the given topics, or all."
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    transformers.logging.set_verbosity_error()
    checkpoints()
    for t in topics or TOPICS: print(t, flush=True); TOPICS[t]()
    print(f"{sum(f.stat().st_size for f in HERE.rglob('*') if f.is_file())/1e6:.2f} MB")

if __name__ == "__main__": main(*sys.argv[1:])
