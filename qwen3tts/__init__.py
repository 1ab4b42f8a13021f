"Qwen3-TTS in MLX, told in notebooks: text in, speech out."
__version__ = "0.0.1"

def _load_mkl():
    "On Linux x86-64, put MKL (pip install 'qwen3tts[mkl]') under MLX's matrix products: it must be loaded before mlx is."
    import ctypes, logging, platform, sys
    from importlib.metadata import PackageNotFoundError, files
    if sys.platform != 'linux' or platform.machine() != 'x86_64' or 'mlx.core' in sys.modules: return
    try:
        lib = next(f for f in files('mkl') or () if f.name.startswith('libmkl_rt.so'))
        ctypes.CDLL(str(lib.locate()), ctypes.RTLD_GLOBAL)
    except (PackageNotFoundError, StopIteration, OSError):
        logging.getLogger('qwen3tts').warning("qwen3tts: speech is several times faster on this machine with MKL: pip install 'qwen3tts[mkl]'")

_load_mkl()

_HOME = {'Qwen3TTSModel': 'model', 'Qwen3TTSTokenizer': 'official', 'VoiceClonePromptItem': 'voice', 'Audio': 'files',
         'Qwen3TTSWarning': 'config'}
__all__ = list(_HOME)

def __getattr__(name):
    "Public classes are imported when first used, so that each module can be imported alone."
    if name not in _HOME: raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from importlib import import_module
    return getattr(import_module('.'+_HOME[name], __name__), name)
