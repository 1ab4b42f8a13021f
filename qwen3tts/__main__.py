"The command `qwen3tts`, also as `python -m qwen3tts`. Whoever stops it while it is still being imported gets one line, too."
import os, sys
import _signal as signal   # the built-in part: the other one takes a while to import

def stopped(number, frame):
    "Nothing is begun yet, so there is nothing to tidy up."
    try: os.write(2, b'qwen3tts: stopped\n')
    finally: os._exit(128+number)

for s in (getattr(signal, o) for o in ('SIGINT','SIGTERM','SIGHUP') if hasattr(signal, o)):
    if signal.getsignal(s) != signal.SIG_IGN: signal.signal(s, stopped)   # nohup stays in force

from qwen3tts.cli import main

if __name__ == '__main__': sys.exit(main())
