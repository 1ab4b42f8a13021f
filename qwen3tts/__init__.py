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
        if name.split('.')[0] == 'mlx' and cls in sys.meta_path:
            sys.meta_path.remove(cls)
            cls.load()

    @classmethod
    def load(cls):
        import ctypes, platform
        if sys.platform != 'linux' or platform.machine() != 'x86_64': return
        try:
            if 'mlx.core' in sys.modules: raise OSError('too late')
            path = _library('mkl', 'libmkl_rt.so')
            OpenBLAS.load(path)
            cls.lib = ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
        except OSError: cls.missing = True

    @classmethod
    def hint(cls):
        "Say once, where speech is made on a CPU without it, that it is faster with it."
        import logging, mlx.core as mx
        if cls.missing and mx.default_device().type == mx.cpu:
            logging.getLogger('qwen3tts').warning("qwen3tts: speech is several times faster on this machine with MKL: "
                "pip install 'qwen3tts[mkl]', and import qwen3tts before mlx")
            cls.missing = False

class OpenBLAS:
    "Makes products of many rows on AMD's processors with AVX-512, which MKL uses on Intel's only. It takes a C compiler."
    lib = None    # loaded
    rows = None   # a ctypes integer: products with so many rows and columns are OpenBLAS's, others MKL's
    NEVER = 2**31-1
    # mlx calls one function for every product: this one, which chooses
    CODE = f"""
typedef void product(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
product *mkl, *openblas;
int rows = {NEVER};
void cblas_sgemm(int order, int at, int bt, int m, int n, int k, float alpha, const float *a, int lda,
                 const float *b, int ldb, float beta, float *c, int ldc) {{
    (m >= rows && n >= rows ? openblas : mkl)(order, at, bt, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}}"""

    @classmethod
    def load(cls, mkl): # path of MKL, which must not be global yet: of two libraries mlx takes the one that is so first
        import ctypes, subprocess
        from pathlib import Path
        from tempfile import TemporaryDirectory
        processor = Path('/proc/cpuinfo').read_text()
        if 'avx512bw' not in processor or 'GenuineIntel' in processor: return
        try:
            lib = ctypes.CDLL(_library('scipy-openblas32', 'libscipy_openblas.so'))
            products = dict(mkl=ctypes.CDLL(mkl).cblas_sgemm, openblas=lib.scipy_cblas_sgemm)
            with TemporaryDirectory() as folder:
                build = ['cc', '-O1', '-shared', '-fPIC', '-xc', '-', '-o', f'{folder}/choose.so']
                subprocess.run(build, input=cls.CODE.encode(), check=True, capture_output=True, timeout=20)
                choose = ctypes.CDLL(build[-1])
                for name,f in products.items():
                    ctypes.c_void_p.in_dll(choose, name).value = ctypes.cast(f, ctypes.c_void_p).value
                rows = ctypes.c_int.in_dll(choose, 'rows')
                ctypes.CDLL(build[-1], ctypes.RTLD_GLOBAL)   # it knows both now, and mlx may find it
        except (OSError, subprocess.SubprocessError, AttributeError, ValueError): return   # MKL makes them all, then
        cls.lib,cls.rows = lib,rows

def _library(package, name):
    "The path of a library that lies in a package, or an OSError."
    from importlib.metadata import PackageNotFoundError, files
    try: return str(next(f for f in files(package) or () if f.name.startswith(name)).locate())
    except (PackageNotFoundError, StopIteration): raise OSError(f'{package} has no {name}') from None

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
