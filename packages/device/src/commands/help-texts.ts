// Examples and notes at the end of each command's --help.

import { environmentName } from '../settings/settings.ts'

export const HELP = {
  program: {
    after: `Examples:
  Connect this machine and serve a small starter model:
    $ hearth-device login https://hearth.example.com
    $ hearth-device start

  Serve a model by its name, or from Hugging Face:
    $ hearth-device models pull qwen3:8b
    $ hearth-device models pull hf:bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M --as qwen

  Serve the models that Ollama already runs on this machine:
    $ hearth-device start --upstream http://127.0.0.1:11434

  Serve only at night, and only when plugged in:
    $ hearth-device start --hours 18:00-08:00 --only-on-mains

  Find out why something doesn't work:
    $ hearth-device doctor

For the options of a command, run hearth-device <command> --help.
The app connects out to the gateway and never opens a port.`,
  },
  login: {
    after: `Examples:
  Log in with a code that you approve in the console:
    $ hearth-device login https://hearth.example.com

  Log in without a browser, with a token from the console (Devices, Add a device):
    $ HEARTH_DEVICE_TOKEN=he-hearth-... hearth-device login https://hearth.example.com --name studio

The credential is saved in the state folder, where only you can read it.`,
  },
  start: {
    examples: [
      'start',
      'start --slots 2 --threads 4',
      'start --memory 12GB --keep-alive 2h',
      'start --hours 18:00-08:00,12:00-13:00 --only-on-mains',
      'start --upstream auto',
      'HEARTH_DEVICE_SEARCH_KEY=... hearth-device start --search brave',
    ],
    after: `You can also set every option in the environment (${environmentName('gpuLayers')}=20)
or in settings.toml in the state folder (gpu-layers = 20).
To see the settings in effect, run hearth-device settings.

Ctrl-C or SIGTERM finishes the running jobs first; a second one stops right away.`,
  },
  models: {
    examples: [
      'models list',
      'models pull qwen3:8b',
      'models add ./model.gguf --as chat',
      'models verify qwen3:8b',
      'models remove chat',
    ],
  },
  pull: {
    examples: [
      'models pull qwen3:8b',
      'models pull llama3.2:3b --as chat --slots 2',
      'models pull hf:unsloth/Qwen3-8B-GGUF:UD-Q4_K_XL',
      'HF_TOKEN=... hearth-device models pull hf:owner/private-model',
      ['models pull qwen3:8b --json', 'progress for a script'],
    ],
    after: `Sources:
  qwen3:8b                   a well-known model by its name; picks the version that fits this machine
  qwen3:8b-q8_0              the same, with the quantization you name
  owner/name                 a Hugging Face repository with GGUF files
  hf:owner/name:Q4_K_M       the same, with the quantization you name
  hf:owner/name/model.gguf   one file of a repository; one part of a split model brings all parts
  https://huggingface.co/…   the address of a repository's page or of a file in it
  https://host/model.gguf    any other URL
  ./model.gguf               a file on this machine, served from where it is
  starter                    SmolLM2-135M-Instruct, small enough for any machine (98 MB)

Names are looked up in a list that comes with the app, then on Hugging Face. Without a quantization, you get
Q4_K_M or the next best one that fits in memory. Downloads are verified by their checksums. If one is
interrupted, run the same command again to continue where it stopped.`,
  },
  add: {
    examples: ['models add ./model.gguf', 'models add /models/qwen.gguf --as qwen --context 8192'],
    after: `The file stays where it is. It also takes the sources of hearth-device models pull.`,
  },
  list: {
    examples: ['models list', 'models list --json'],
  },
  recommend: {
    examples: ['models recommend', 'models recommend --json'],
    after: `Looks at the processor, the graphics card, the memory and the disk of this machine. Downloads nothing.
Exits with 1 if every model is too large or too slow.`,
  },
  keep: {
    examples: [
      ['models keep qwen 2h', 'unload it after two hours without a request'],
      ['models keep qwen always', 'never unload it, not even to make room'],
      ['models keep qwen never', 'unload it after each use'],
    ],
    after: `Models load when a request needs them. An idle model is unloaded when its time is over, or earlier to make room for another.

The setting keep-alive counts for all other models (default: 30m).`,
  },
  remove: {
    examples: ['models remove smollm2-135m-instruct'],
    after: `Files that you added from elsewhere on this machine are kept.`,
  },
  verify: {
    examples: ['models verify', 'models verify qwen3:8b'],
    after: `Exits with 1 if a file is missing or has changed.`,
  },
  status: {
    examples: ['status', 'status --json'],
    after: `Exits with 3 if the app is not running; with --json, "isRunning" is then false.`,
  },
  logs: {
    examples: ['logs', ['logs --follow', 'new lines as they come; press Ctrl-C to stop'], 'logs --lines 500'],
    after: `Also shows the lines of an app that has ended. The app keeps at most 2 MB in its state folder, and never prompts or answers.`,
  },
  pause: {
    examples: [
      ['pause', 'running jobs finish first'],
      ['pause --now', 'running jobs go back to the gateway'],
      'resume',
    ],
    after: `Exits with 3 if the app is not running. A paused device stays paused when you restart the app.`,
  },
  resume: {
    examples: ['resume'],
  },
  unblock: {
    examples: ['unblock'],
    after: `A request that crashed its model's engine three times is rejected for an hour, or for five minutes if memory was short.
Run hearth-device status to see how many there are and why. Exits with 3 if the app is not running.`,
  },
  doctor: {
    examples: [
      'doctor',
      'doctor --engine',
      ['doctor --json', 'the same for a script'],
      ['doctor --plan', 'what each model gets on this machine'],
      ['doctor --plan all', 'plans for machines of every size'],
      ['doctor --upstream http://127.0.0.1:11434', 'what a local server can do'],
    ],
    after: `Exits with 1 if something doesn't work. If you need to do something, the line says what after the arrow.`,
  },
  gpu: {
    examples: ['gpu', 'gpu --json', 'gpu build', 'gpu remove'],
    after: `The app comes with back ends for all cards, but with machine code for a few of them only. On the others, the driver
compiles it, which makes the first requests wait, or can't. hearth-device doctor says if that is so here.`,
  },
  gpuBuild: {
    examples: [
      'gpu build',
      'gpu build --yes',
      ['gpu build --jobs 4', 'for a machine with little memory'],
      ['CUDACXX=/usr/local/cuda-12.9/bin/nvcc hearth-device gpu build', 'with the toolkit you name'],
    ],
    after: `It takes about four minutes on 16 cores, and needs no network: the sources came with the app. You need:
  the CUDA toolkit 12 or 13, with nvcc and cuBLAS
  CMake 3.19 or newer, Ninja or make, a C++ compiler, and git
If something is missing, it says what, and which command installs it.

It shows what it will do and asks first. Ctrl-C ends it and leaves nothing behind; then run it again. The result is used
only if it computes correctly; otherwise models run on the packaged back ends as before. After an update of the app with a
new engine, build again: until then, the packaged ones are used.`,
  },
  gpuRemove: {
    examples: ['gpu remove'],
    after: `If the app runs and uses it, stop the app first.`,
  },
  settings: {
    examples: [
      'settings',
      'settings --json',
      'HEARTH_DEVICE_SLOTS=2 hearth-device settings',
      '--config ./settings.toml settings',
    ],
  },
  service: {
    examples: ['service install', 'service install --print', 'service uninstall'],
    after: `The service reads its settings from settings.toml in the state folder. You don't need to be an administrator.`,
  },
  install: {
    examples: ['service install', 'service install --print'],
  },
  uninstall: {
    examples: ['service uninstall'],
  },
  update: {
    examples: ['update', 'update --check', ['update --yes', 'for scripts, where you trust whoever runs the gateway']],
    after: `With a pinned seal (hearth-device seal), only code that the seal names is installed. Without one, an update is installed
without a question only if the project has signed it as a release. Otherwise you see the hash of the old and of the new
code, and are asked. A version that is older than this one is never installed.`,
  },
  seal: {
    examples: [
      ['seal hs-...', 'the line that an administrator gave you'],
      ['seal', 'compare what the gateway shows, or check the pinned seal again'],
      'seal --off',
    ],
    after: `Sealed requests are only as safe as the code on the devices that open them. From now on, hearth-device update installs
nothing that the seal doesn't name.`,
  },
} as const
