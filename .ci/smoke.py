"What the oldest allowed versions of all dependencies must be able to do, in a minute: speak, save, stream, clone, encode, convert."
import os, tempfile
os.environ['MPLBACKEND'] = 'agg'
from pathlib import Path
import numpy as np
from qwen3tts import Qwen3TTSModel, Qwen3TTSTokenizer
from qwen3tts.audio import mel_spectrogram
from qwen3tts.convert import convert
from qwen3tts.viz import plot_mel

with tempfile.TemporaryDirectory() as d:
    d,tts = Path(d), Qwen3TTSModel.from_pretrained()
    audio = tts.speak('Hello, world!', seed=0)
    for kind in ('wav','flac','mp3','ogg'): assert audio.save(d/f'a.{kind}').stat().st_size > 1000
    chunks = [*tts.stream('Hello, world!', seed=0)]
    assert np.abs(np.concatenate([c.samples for c in chunks]) - np.asarray(audio)).max() < 1e-4
    assert np.array_equal(np.array(audio, dtype='float64'), audio.samples) and audio._repr_html_()
    assert plot_mel(mel_spectrogram(audio.samples)) is not None
    codes = Qwen3TTSTokenizer.from_pretrained().encode(d/'a.flac')['audio_codes'][0]
    assert codes.shape == audio.codes.shape
    voice = tts.create_voice((np.tile(audio.samples, 3), audio.sample_rate))
    assert tts.speak('Hi.', voice=voice, seed=0, max_new_tokens=10).duration > 0
    four = Qwen3TTSModel.from_pretrained(convert('tiny', d/'four', bits=4, group_size=32))
    assert four.speak('Hi.', seed=0, max_new_tokens=10).duration > 0
    try: Qwen3TTSModel.from_pretrained('qwen3tts/nowhere', local_files_only=True)
    except OSError as e: print(e)
    else: raise AssertionError('a model was found nowhere')
