"Qwen3-TTS in MLX, told in notebooks: text in, speech out."
__version__ = "0.0.1"
import sys

class MKL:
    "Puts MKL (pip install 'qwen3tts[mkl]') under MLX's products on Linux x86-64: it must be loaded before mlx is."
    missing = False   # it would help here, but could not be loaded
    lib = None        # loaded

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        "Whatever is imported is announced here first: when it is mlx, load MKL, and let others find mlx."
        if name == 'mlx' and cls in sys.meta_path:
            sys.meta_path.remove(cls)
            cls.load()

    @classmethod
    def load(cls):
        import ctypes, platform
        from importlib.metadata import PackageNotFoundError, files
        if sys.platform != 'linux' or platform.machine() != 'x86_64': return
        try:
            if 'mlx.core' in sys.modules: raise OSError('too late')
            lib = next(f for f in files('mkl') or () if f.name.startswith('libmkl_rt.so'))
            cls.lib = ctypes.CDLL(str(lib.locate()), ctypes.RTLD_GLOBAL)
        except (PackageNotFoundError, StopIteration, OSError): cls.missing = True

    @classmethod
    def hint(cls):
        "Say once, where speech is made on a CPU without it, that it is faster with it."
        import logging, mlx.core as mx
        if cls.missing and mx.default_device().type == mx.cpu:
            logging.getLogger('qwen3tts').warning("qwen3tts: speech is several times faster on this machine with MKL: "
                "pip install 'qwen3tts[mkl]', and import qwen3tts before mlx")
            cls.missing = False

if 'mlx.core' in sys.modules: MKL.load()
else: sys.meta_path.insert(0, MKL)

_HOME = {'Qwen3TTSModel': 'model', 'Qwen3TTSTokenizer': 'official', 'VoiceClonePromptItem': 'voice', 'Audio': 'files',
         'Qwen3TTSWarning': 'config'}
__all__ = list(_HOME)

def __getattr__(name):
    "Public classes are imported when first used, so that each module can be imported alone."
    if name not in _HOME: raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from importlib import import_module
    return getattr(import_module('.'+_HOME[name], __name__), name)
