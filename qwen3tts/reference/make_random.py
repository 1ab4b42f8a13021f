"""Write a checkpoint of the real size with random weights, for measuring: no weights of the real models are stored here.

    python qwen3tts/reference/make_random.py 0.6b OUT            # 2.5 GB in about 20 s; 1.7b: 4.5 GB
    python qwen3tts/reference/make_random.py 0.6b OUT --kind base

It needs the environment of make_reference.py: names, shapes and the settings that are not named here come from the official
classes, so that the official package loads the result without a complaint (`--check` does that). Layout and types are
those of the published files: bfloat16 for the model, float32 for the speech tokenizer. The vocabulary is the packaged one
(its tables have the full 151,936 rows). The row of the end token in the talker's head is zero: its score is never among the
best fifty, so that every utterance lasts as long as it may. By the qwen3tts authors.
"""
import argparse, json, shutil
from pathlib import Path

import make_reference                                   # stand-ins for packages that the official one imports without need
import torch
from safetensors.torch import save_file
from torch import nn
from qwen_tts import Qwen3TTSModel
from qwen_tts.core import Qwen3TTSTokenizerV2Config, Qwen3TTSTokenizerV2Model
from qwen_tts.core.models import Qwen3TTSConfig, Qwen3TTSForConditionalGeneration

PACKAGE = make_reference.PACKAGE
HIDDEN = {"0.6b": 1024, "1.7b": 2048}
KINDS = "custom_voice", "base", "voice_design"
LANGUAGES = dict(chinese=2055, english=2050, german=2053, italian=2070, portuguese=2071, spanish=2054, japanese=2058, korean=2064,
                 french=2061, russian=2069)
GENERATION = dict(do_sample=True, repetition_penalty=1.05, temperature=.9, top_p=1., top_k=50, subtalker_dosample=True,
                  subtalker_temperature=.9, subtalker_top_p=1., subtalker_top_k=50, max_new_tokens=8192)

def model_config(size, kind):
    "The settings of a published model; the ids of its text tokens are the packaged vocabulary's."
    own, hidden = json.loads((PACKAGE/"config.json").read_text()), HIDDEN[size]
    heads = dict(num_attention_heads=16, num_key_value_heads=8, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000, num_code_groups=16)
    predictor = dict(model_type="qwen3_tts_talker_code_predictor", vocab_size=2048, hidden_size=1024, intermediate_size=3072,
                     num_hidden_layers=5, **heads)
    talker = dict(model_type="qwen3_tts_talker", vocab_size=3072, text_vocab_size=151936, text_hidden_size=2048, hidden_size=hidden,
                  intermediate_size=3*hidden, num_hidden_layers=28, sliding_window=None, codec_pad_id=2148, codec_bos_id=2149,
                  codec_eos_token_id=2150, codec_think_id=2154, codec_nothink_id=2155, codec_think_bos_id=2156, codec_think_eos_id=2157,
                  codec_language_id=LANGUAGES, spk_id=dict(vivian=3065, ryan=3061) if kind == "custom_voice" else {},
                  spk_is_dialect=dict(vivian=False, ryan=False) if kind == "custom_voice" else {},
                  rope_scaling=dict(interleaved=True, mrope_section=[24, 20, 20], rope_type="default", type="default"),
                  code_predictor_config=predictor, **heads)
    config = {k: v for k, v in own.items() if k.endswith("token_id")} | dict(architectures=["Qwen3TTSForConditionalGeneration"],
        model_type="qwen3_tts", tokenizer_type="qwen3_tts_tokenizer_12hz", transformers_version="4.57.3",
        tts_model_size={"0.6b": "0b6", "1.7b": "1b7"}[size], tts_model_type=kind, talker_config=talker)
    return config | (dict(speaker_encoder_config=dict(enc_dim=hidden, sample_rate=24000)) if kind == "base" else {})

def codec_config():
    "The settings of the published speech tokenizer."
    decoder = dict(codebook_size=2048, codebook_dim=512, latent_dim=1024, hidden_size=512, intermediate_size=1024, num_hidden_layers=8,
        num_attention_heads=16, num_key_value_heads=16, head_dim=64, num_quantizers=16, num_semantic_quantizers=1, semantic_codebook_size=4096,
        decoder_dim=1536, upsample_rates=[8, 5, 4, 3], upsampling_ratios=[2, 2], sliding_window=72, rms_norm_eps=1e-5, rope_theta=10000)
    encoder = dict(model_type="mimi", hidden_size=512, num_filters=64, upsampling_ratios=[8, 6, 5, 4], kernel_size=7, last_kernel_size=3,
        residual_kernel_size=3, compress=2, codebook_size=2048, codebook_dim=256, num_quantizers=32, num_semantic_quantizers=1,
        vector_quantization_hidden_dimension=256, upsample_groups=512, num_hidden_layers=8, intermediate_size=2048, num_attention_heads=8,
        num_key_value_heads=8, head_dim=64, sliding_window=250, rope_theta=10000, use_cache=False)
    return dict(architectures=["Qwen3TTSTokenizerV2Model"], model_type="qwen3_tts_tokenizer_12hz", encoder_valid_num_quantizers=16,
        input_sample_rate=24000, output_sample_rate=24000, decode_upsample_rate=1920, encode_downsample_rate=1920,
        decoder_config=decoder, encoder_config=encoder)

def random_weights(build, config, dtype, **gains):
    "Random weights in the shapes of an official class, which is built without memory; `gains` scale by a part of the name."
    with torch.device("meta"): model = build(config)
    fans = {f"{n}.weight": m.in_channels*m.kernel_size[0]/m.stride[0] for n, m in model.named_modules() if isinstance(m, nn.ConvTranspose1d)}
    draw, out = torch.Generator().manual_seed(0), {}
    for name, p in sorted(model.state_dict().items()):
        leaf = name.rpartition(".")[2]
        r = torch.empty(p.shape, dtype=dtype).normal_(generator=draw)
        if leaf in ("initialized", "cluster_usage"): r.fill_(1)
        elif leaf in ("embed_sum", "embedding_sum"): r *= .85**int(name.split("layers.")[1].split(".")[0])
        elif leaf == "scale": r.fill_(.3)
        elif leaf in ("alpha", "beta", "gamma"): r *= .3
        elif p.ndim == 1: r = r*.1 + (leaf == "weight")
        elif "embedding" not in name: r /= fans.get(name, p[0].numel())**.5
        for part, gain in gains.items():
            if part in name and p.ndim > 1: r *= gain
        if name == "talker.codec_head.weight": r[config.talker_config.codec_eos_token_id] = 0
        out[name] = r
    return out

def make(size, out, kind="custom_voice"):
    "Write the checkpoint of `size` into the folder `out`."
    (out/"speech_tokenizer").mkdir(parents=True, exist_ok=True)
    for name in "vocab.json", "merges.txt", "tokenizer_config.json", "preprocessor_config.json", "speech_tokenizer/preprocessor_config.json":
        shutil.copyfile(PACKAGE/name, out/name)
    make_reference.dump(out/"generation_config.json", GENERATION)
    make_reference.dump(out/"config.json", config := model_config(size, kind))
    make_reference.dump(out/"speech_tokenizer"/"config.json", codec := codec_config())
    weights = random_weights(Qwen3TTSForConditionalGeneration, Qwen3TTSConfig(**json.loads(json.dumps(config))), torch.bfloat16, codec_head=4, lm_head=4)
    save_file(weights, out/"model.safetensors", {"format": "pt"})
    weights = random_weights(Qwen3TTSTokenizerV2Model, Qwen3TTSTokenizerV2Config(**json.loads(json.dumps(codec))), torch.float32,
                             **{"conv2.conv": .4, "decoder.decoder.6": .1, "encoder.encoder": 1.4})
    save_file(weights, out/"speech_tokenizer"/"model.safetensors", {"format": "pt"})

if __name__ == "__main__":
    ask = argparse.ArgumentParser(description="Write a checkpoint of the real size with random weights.")
    ask.add_argument("size", choices=HIDDEN)
    ask.add_argument("out", type=Path)
    ask.add_argument("--kind", choices=KINDS, default="custom_voice")
    ask.add_argument("--check", action="store_true", help="then load it with the official package and speak two frames")
    args = ask.parse_args()
    make(args.size, args.out, args.kind)
    if args.check:
        model = Qwen3TTSModel.from_pretrained(str(args.out), dtype=torch.float32)
        print("parameters:", sum(p.numel() for p in model.model.parameters()))
        if args.kind == "custom_voice": print(model.generate_custom_voice("Good morning.", "vivian", "english", max_new_tokens=3)[0][0].shape)
