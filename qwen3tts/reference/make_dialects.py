"""Write checkpoints in every published dialect, from those of this folder and of the package.

No weights of the real models are stored here, so the ways in which they are published are made when a test needs them:

    official      shards with an index, as large official checkpoints have
    mlx-bf16      mlx-community: convolutions turned for MLX, the speech tokenizer as it was
    mlx-8bit      mlx-community: linear layers of talker and predictor packed; also mlx-6bit, mlx-4bit
    mlx-mixed     4 bits, some layers with settings of their own, others left as they were
    aufklarer     float16, every second convolution turned, ids as lists of one, only `quantization_config`, no speech tokenizer inside
    codec-mlx     a speech tokenizer alone, its convolutions turned
    codec-embed   a speech tokenizer alone, every codebook as one table of vectors
    native-early  the layout of transformers' own classes (pull request 44517), with the wrong base that early conversions have
    native-late   the same later, the predictor's heads joined
    codec-native-early, codec-native-late    a speech tokenizer of that layout

`official_config` and `official_shapes` give the settings and every tensor of the real models, written down from their published
configs: for counting, and with `write_random` for measuring at real size. Only MLX is needed, and nothing of qwen3tts: what is
made here judges its loader. On the command line, `python make_dialects.py SOURCE OUT` writes all dialects of a checkpoint, and
`python make_dialects.py 0.6B-Base OUT` a random one of real size. By the qwen3tts authors.
"""
import json, re, shutil, sys
from pathlib import Path
import mlx.core as mx

def read(folder):
    "config.json and tensors of a folder."
    return json.loads((folder/"config.json").read_text()), mx.load(str(folder/"model.safetensors"))

def write(folder, config, tensors, like=None):
    "Write a folder; the small files are those of `like`."
    folder.mkdir(parents=True, exist_ok=True)
    for f in like.iterdir() if like else []:
        if f.suffix in (".json", ".txt"): shutil.copyfile(f, folder/f.name)
    (folder/"config.json").write_text(json.dumps(config))
    mx.save_safetensors(str(folder/"model.safetensors"), tensors, {"format": "mlx"})

# ---- what a dialect does to tensors --------------------------------------------------------------------------------

def is_conv(name, v):
    "Every weight with three axes is a convolution's."
    return v.ndim == 3 and name.endswith(".weight")

def is_transposed(name):
    "Those that add time steps are transposed convolutions."
    return bool(re.search(r"^decoder\.upsample\.\d+\.0\.conv|^decoder\.decoder\.\d+\.block\.1\.conv", name))

def turned(name, v):
    "A convolution's weight as MLX has it: [out,k,in]."
    return mx.contiguous(v.transpose(1,2,0) if is_transposed(name) else v.swapaxes(1,2))

def linears(tensors):
    "Names of the linear layers of talker and predictor."
    return [k[:-7] for k, v in tensors.items() if k.startswith("talker.") and k.endswith(".weight") and v.ndim == 2 and "embedding" not in k]

def packed(tensors, how):
    "Quantise layers: `how` is {name: settings}."
    out = dict(tensors)
    for name, h in how.items():
        out |= dict(zip((f"{name}.weight", f"{name}.scales", f"{name}.biases"), mx.quantize(tensors[f"{name}.weight"], **h)))
    return out

# ---- dialects ------------------------------------------------------------------------------------------------------

def official(src, out):
    "Three shards and an index."
    config, tensors = read(src)
    shutil.copytree(src, out)
    (out/"model.safetensors").unlink()
    where, files = {}, [f"model-{i+1:05}-of-00003.safetensors" for i in range(3)]
    for i, f in enumerate(files):
        part = {k: v for j, (k, v) in enumerate(sorted(tensors.items())) if j % 3 == i}
        mx.save_safetensors(str(out/f), part, {"format": "pt"})
        where |= {k: f for k in part}
    (out/"model.safetensors.index.json").write_text(json.dumps(dict(metadata={}, weight_map=where)))

def mlx(src, out, bits=None, group_size=64, mixed=False):
    "As mlx-community has them."
    config, tensors = read(src)
    new = {k: turned(k, v) if is_conv(k, v) else v for k, v in tensors.items()}
    if bits:
        wide = [k for k in linears(tensors) if tensors[f"{k}.weight"].shape[1] % group_size == 0]
        usual, other = dict(group_size=group_size, bits=bits), dict(group_size=32, bits=8)
        how = {k: usual for k in wide}
        if mixed: how = {k: other if "code_predictor" in k else usual for k in wide if "o_proj" not in k}
        new = packed(new, how)
        config["quantization"] = config["quantization_config"] = usual | {k: h for k, h in how.items() if h != usual}
    write(out, config, new, src)
    if (src/"speech_tokenizer").exists(): shutil.copytree(src/"speech_tokenizer", out/"speech_tokenizer")

def aufklarer(src, out, bits=None, group_size=64):
    "As the Swift engine's bundles are."
    config, tensors = read(src)
    new, n = {}, 0
    for k, v in tensors.items():
        if is_conv(k, v) and (n := n+1) % 2: v = turned(k, v)
        new[k] = v.astype(mx.float16)
    if bits:
        usual = dict(group_size=group_size, bits=bits)
        new = packed(new, {k: usual for k in linears(tensors) if tensors[f"{k}.weight"].shape[1] % group_size == 0})
        config["quantization_config"] = usual
    talker = config["talker_config"]
    talker["spk_id"] = {k: [v] for k, v in talker["spk_id"].items()}
    write(out, config, new, src)

def codec_mlx(src, out):
    "A speech tokenizer alone, turned."
    config, tensors = read(src/"speech_tokenizer")
    write(out, config, {k: turned(k, v) if is_conv(k, v) else v for k, v in tensors.items()}, src/"speech_tokenizer")

def codec_embed(src, out):
    "A speech tokenizer alone, codebooks as vectors."
    config, tensors = read(src/"speech_tokenizer")
    new = {}
    for k, v in tensors.items():
        if m := re.match(r"(.*codebook)\.(embed_sum|embedding_sum)$", k):
            v, k = v.astype(mx.float32)/mx.maximum(tensors[f"{m[1]}.cluster_usage"].astype(mx.float32), 1e-5)[:, None], f"{m[1]}.embed"
        if not k.endswith(("cluster_usage", "initialized")): new[k] = v
    write(out, config, new, src/"speech_tokenizer")

def native(src, out, late=False):
    "As transformers' own classes have a model: no `talker.`, other words for the rotary positions, no kind, no codec inside."
    config, tensors = read(src)
    new = {k.replace("talker.model.codec_embedding", "model.embed_tokens").replace("text_projection.linear_fc", "text_projection.linear_").removeprefix("talker."): v
           for k, v in tensors.items()}
    talker = config["talker_config"]
    predictor = talker["code_predictor_config"]
    for part in (talker, predictor):
        part["rope_parameters"] = (part.pop("rope_scaling", None) or {}) | dict(rope_type="default", rope_theta=part.pop("rope_theta", 10000))
        part["rope_parameters"].pop("type", None)
        part["layer_types"] = ["full_attention"]*part["num_hidden_layers"]
        part.pop("max_window_layers", None)
    if late: new["code_predictor.lm_head.weight"] = mx.concatenate([new.pop(f"code_predictor.lm_head.{i}.weight") for i in range(predictor["num_code_groups"]-1)])
    else: predictor["rope_parameters"]["rope_theta"] = 500000
    for k in ("tts_model_type", "tts_model_size", "qwen3tts_abilities"): config.pop(k, None)
    if not any(k.startswith("speaker_encoder.") for k in new): config["speaker_encoder_config"] = None
    write(out, config, new, src)

def codec_native(src, out, late=False):
    "As transformers' own classes have a speech tokenizer: Mimi's words for the quantizers, nothing said twice."
    config, tensors = read(src/"speech_tokenizer")
    new = {}
    for k, v in tensors.items():
        if k.startswith("decoder.quantizer."):
            k = k.replace("rvq_first", "semantic_residual_vector_quantizer").replace("rvq_rest", "acoustic_residual_vector_quantizer")
            k = k.replace(".vq.layers.", ".layers.").replace("._codebook.", ".codebook.").replace(".embedding_sum", ".embed_sum")
            if late: k = k.removeprefix("decoder.")
            if k.endswith("embed_sum"): new[k.replace("embed_sum", "initialized")] = mx.ones((1,))
        if late: k = k.replace("decoder.pre_transformer.input_proj", "decoder.input_proj").replace("decoder.pre_transformer.output_proj", "decoder.output_proj")
        if m := re.match(r"encoder\.quantizer\.acoustic.*\.layers\.(\d+)\.", k):
            if int(m[1]) >= config["decoder_config"]["num_quantizers"]-1: continue   # only those that are used
        new[k] = v
    decoder = config["decoder_config"]
    config["encoder_config"]["num_quantizers"] = decoder["num_quantizers"]
    for k in ("encode_downsample_rate", "decode_upsample_rate", "encoder_valid_num_quantizers"): config.pop(k, None)
    for k in ("input", "output"): config[f"{k}_sampling_rate"] = config.pop(f"{k}_sample_rate", 24000)
    for part in (config["encoder_config"], decoder): part["rope_parameters"] = dict(rope_type="default", rope_theta=part.pop("rope_theta", 10000))
    if late: config["quantizer_config"] = {k: decoder.pop(k) for k in ("codebook_size", "codebook_dim", "num_quantizers")}
    write(out, config | dict(model_type="qwen3_tts_tokenizer_multi_codebook"), new, src/"speech_tokenizer")

def dialects(src, out, group_size=64):
    "Write every dialect of checkpoint `src` into folder `out`: {name: folder}."
    src, out = Path(src), Path(out)
    made = {"official": (official,), "mlx-bf16": (mlx,), "mlx-8bit": (mlx, 8, group_size), "mlx-6bit": (mlx, 6, group_size), "mlx-4bit": (mlx, 4, group_size),
            "mlx-mixed": (mlx, 4, group_size, True), "aufklarer": (aufklarer,), "aufklarer-4bit": (aufklarer, 4, group_size),
            "native-early": (native,), "native-late": (native, True)}
    if (src/"speech_tokenizer").exists():
        made |= {"codec-mlx": (codec_mlx,), "codec-embed": (codec_embed,), "codec-native-early": (codec_native,), "codec-native-late": (codec_native, True)}
    for name, (make, *args) in made.items(): make(src, out/name, *args)
    return {name: out/name for name in made}

# ---- the real models -----------------------------------------------------------------------------------------------

OFFICIAL = ["0.6B-Base", "0.6B-CustomVoice", "1.7B-Base", "1.7B-CustomVoice", "1.7B-VoiceDesign"]

def official_config(name):
    "The settings of an official model that give its tensors their shapes."
    size, kind = name.split("-")
    hidden = dict([("0.6B", 1024), ("1.7B", 2048)])[size]
    heads = dict(num_attention_heads=16, num_key_value_heads=8, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000, num_code_groups=16)
    predictor = dict(vocab_size=2048, hidden_size=1024, intermediate_size=3072, num_hidden_layers=5, **heads)
    talker = dict(vocab_size=3072, text_vocab_size=151936, text_hidden_size=2048, hidden_size=hidden, intermediate_size=3*hidden, num_hidden_layers=28,
        codec_pad_id=2148, codec_bos_id=2149, codec_eos_token_id=2150, codec_think_id=2154, codec_nothink_id=2155, codec_think_bos_id=2156,
        codec_think_eos_id=2157, codec_language_id=dict(chinese=2055, english=2050), spk_id=dict(vivian=3065, ryan=3061) if kind == "CustomVoice" else {},
        spk_is_dialect={}, code_predictor_config=predictor, **heads)
    out = dict(architectures=["Qwen3TTSForConditionalGeneration"], model_type="qwen3_tts", tokenizer_type="qwen3_tts_tokenizer_12hz",
        tts_model_size=dict([("0.6B", "0b6"), ("1.7B", "1b7")])[size],
        tts_model_type=dict(Base="base", CustomVoice="custom_voice", VoiceDesign="voice_design")[kind], talker_config=talker)
    return out | (dict(speaker_encoder_config=dict(enc_dim=hidden, sample_rate=24000)) if kind == "Base" else {})

def official_shapes(config):
    "{tensor: shape}, in the official names and layout."
    t = config["talker_config"]
    p, H = t["code_predictor_config"], t["hidden_size"]
    out = {"talker.model.text_embedding.weight": (t["text_vocab_size"], t["text_hidden_size"]), "talker.model.codec_embedding.weight": (t["vocab_size"], H)}
    def stack(at, c):
        D, I, q, kv = c["hidden_size"], c["intermediate_size"], c["num_attention_heads"]*c["head_dim"], c["num_key_value_heads"]*c["head_dim"]
        for i in range(c["num_hidden_layers"]):
            layer = {"input_layernorm": (D,), "post_attention_layernorm": (D,), "self_attn.q_proj": (q, D), "self_attn.k_proj": (kv, D), "self_attn.v_proj": (kv, D),
                     "self_attn.o_proj": (D, q), "self_attn.q_norm": (c["head_dim"],), "self_attn.k_norm": (c["head_dim"],), "mlp.gate_proj": (I, D),
                     "mlp.up_proj": (I, D), "mlp.down_proj": (D, I)}
            out.update({f"{at}.layers.{i}.{k}.weight": v for k, v in layer.items()})
        out[f"{at}.norm.weight"] = (D,)
    stack("talker.model", t)
    T = t["text_hidden_size"]
    for n, (o, i) in {"linear_fc1": (T, T), "linear_fc2": (H, T)}.items(): out |= {f"talker.text_projection.{n}.weight": (o, i), f"talker.text_projection.{n}.bias": (o,)}
    out["talker.codec_head.weight"] = (t["vocab_size"], H)
    at = "talker.code_predictor"
    stack(f"{at}.model", p)
    for i in range(p["num_code_groups"] - 1):
        out |= {f"{at}.model.codec_embedding.{i}.weight": (p["vocab_size"], H), f"{at}.lm_head.{i}.weight": (p["vocab_size"], p["hidden_size"])}
    if H != p["hidden_size"]: out |= {f"{at}.small_to_mtp_projection.weight": (p["hidden_size"], H), f"{at}.small_to_mtp_projection.bias": (p["hidden_size"],)}
    if "speaker_encoder_config" not in config: return out
    convs = {"blocks.0.conv": (512, 128, 5), "mfa.conv": (1536, 1536, 1), "asp.tdnn.conv": (128, 4608, 1), "asp.conv": (1536, 128, 1),
             "fc": (config["speaker_encoder_config"]["enc_dim"], 3072, 1)}
    for b in (1, 2, 3):
        convs |= {f"blocks.{b}.tdnn1.conv": (512, 512, 1), f"blocks.{b}.tdnn2.conv": (512, 512, 1), f"blocks.{b}.se_block.conv1": (128, 512, 1),
                  f"blocks.{b}.se_block.conv2": (512, 128, 1)} | {f"blocks.{b}.res2net_block.blocks.{i}.conv": (64, 64, 3) for i in range(7)}
    for k, v in convs.items(): out |= {f"speaker_encoder.{k}.weight": v, f"speaker_encoder.{k}.bias": v[:1]}
    return out

def write_random(name, out, dtype=mx.bfloat16):
    "A checkpoint of real size with random weights, without vocabulary and speech tokenizer."
    mx.random.seed(0)
    config = official_config(name)
    shapes = official_shapes(config)
    write(Path(out), config, {k: mx.random.normal(s, dtype)*mx.array(.02, dtype) + (len(s) == 1 and "norm" in k) for k, s in shapes.items()})

if __name__ == "__main__":
    src, out = sys.argv[1:]
    if src in OFFICIAL: write_random(src, out)
    else: dialects(src, out)
