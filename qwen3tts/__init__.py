"Qwen3-TTS in MLX, told in notebooks: text in, speech out."
__version__ = "0.0.1"

def _load_mkl():
    "On Linux x86-64, put MKL (pip install qwen3tts[mkl]) under MLX's matrix products: it must be loaded before mlx is."
    import ctypes, os, platform, sys
    from pathlib import Path
    if sys.platform != 'linux' or platform.machine() != 'x86_64' or 'mlx.core' in sys.modules: return
    libs = [p for root in dict.fromkeys([sys.prefix, sys.base_prefix]) for p in sorted(Path(root, 'lib').glob('libmkl_rt.so*'))]
    for lib in libs:
        try: return ctypes.CDLL(str(lib), ctypes.RTLD_GLOBAL)
        except OSError: pass
    if 'QWEN3TTS_NO_HINT' not in os.environ: print("qwen3tts: on this machine speech is several times faster with `pip install 'qwen3tts[mkl]'`", file=sys.stderr)

_load_mkl()

_WHERE = {'Qwen3TTSModel': 'model', 'VoiceClonePromptItem': 'model', 'Qwen3TTSTokenizer': 'codec', 'Audio': 'audio'}
__all__ = list(_WHERE)

def __getattr__(name):
    "Public classes are imported when first used, so that each module can be imported alone."
    if name not in _WHERE: raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from importlib import import_module
    return getattr(import_module('.'+_WHERE[name], __name__), name)
