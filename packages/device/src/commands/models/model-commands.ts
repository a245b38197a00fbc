// `hearth-device models …`: the models on this machine.

import type { CommandEntry } from '@hearth/command-line/program/commands'
import type { Context } from '../context.ts'
import { online, untilInterrupted } from '../network.ts'
import { PRINT_JSON, settingsOf } from '../settings-of.ts'

export const MODELS: CommandEntry<Context> = {
  name: 'models',
  summary: 'list, recommend, pull, add, verify, keep and remove models',
  description: 'Manages the models on this machine. A running app picks up changes automatically.',
  examples: [
    'models list',
    'models pull qwen3:8b',
    'models add ./model.gguf --as chat',
    'models verify qwen3:8b',
    'models remove chat',
  ],
  commands: [
    {
      name: 'list',
      summary: 'list the models on this machine',
      options: [['--found', 'list those that other programs keep here instead'], PRINT_JSON],
      examples: ['models list', 'models list --json', ['models list --found', 'of Ollama, LM Studio and others']],
      after: `Looks where Ollama, LM Studio, llama.cpp and Hugging Face keep GGUF files.`,
      run: async (context, { json = false, found = false }: { json?: boolean; found?: boolean }) =>
        found
          ? (await import('./list-found.ts')).listFound({ isJson: json }, context)
          : (await import('./list-models.ts')).listModels({ isJson: json }, context),
    },
    {
      name: 'recommend',
      summary: 'name the best model for this machine',
      options: [PRINT_JSON],
      examples: ['models recommend', 'models recommend --json'],
      after: `Looks at the processor, the graphics card, the memory and the disk of this machine. Downloads nothing.
Exits with 1 if every model is too large or too slow.`,
      run: online(async (context, { json = false }: { json?: boolean }) =>
        (await import('./recommend.ts')).showRecommendations({ isJson: json }, context),
      ),
    },
    pulling('pull', 'download a model and serve it', {
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
  found:qwen3:8b             one that another program keeps on this machine (see hearth-device models list --found)
  starter                    SmolLM2-135M-Instruct, small enough for any machine (98 MB)

Names are looked up in a list that comes with the app, then on Hugging Face. Without a quantization, you get
Q4_K_M or the next best one that fits in memory. Downloads are verified by their checksums. If one is
interrupted, run the same command again to continue where it stopped.`,
    }),
    pulling('add', 'serve a model file that is already on this machine', {
      examples: [
        'models add ./model.gguf',
        'models add /models/qwen.gguf --as qwen --context 8192',
        ['models add found:qwen3:8b', 'the file that Ollama has'],
      ],
      after: `The file stays where it is. It also takes the sources of hearth-device models pull.`,
    }),
    {
      name: 'verify [name]',
      summary: 'read the files again and compare their checksums',
      examples: ['models verify', 'models verify qwen3:8b'],
      after: `Exits with 1 if a file is missing or has changed.`,
      run: async (context, _: object, name?: string) =>
        (await import('./models.ts')).verify(name, context, untilInterrupted()),
    },
    {
      name: 'keep <name> <time>',
      summary: 'set how long an idle model stays in memory: a time like 2h, always or never',
      examples: [
        ['models keep qwen 2h', 'unload it after two hours without a request'],
        ['models keep qwen always', 'never unload it, not even to make room'],
        ['models keep qwen never', 'unload it after each use'],
      ],
      after: `Models load when a request needs them. An idle model is unloaded when its time is over, or earlier to make room for another.

The setting keep-alive counts for all other models (default: 30m).`,
      run: async (context, _: object, name: string, time: string) =>
        (await import('./models.ts')).keep(name, time, context),
    },
    {
      name: 'remove <name>',
      summary: 'stop serving a model, and delete its file if the app downloaded it',
      examples: ['models remove smollm2-135m-instruct'],
      after: `Files that you added from elsewhere on this machine are kept.`,
      run: async (context, _: object, name: string) => (await import('./models.ts')).remove(name, context),
    },
  ],
}

type Help = Pick<CommandEntry<Context>, 'examples' | 'after'>

function pulling(verb: string, summary: string, help: Help): CommandEntry<Context> {
  return {
    name: `${verb} <source>`,
    summary,
    options: [
      ...settingsOf('models'),
      ['--as <name>', 'model name that clients use'],
      ['--slots <count>', 'requests this model handles at once'],
      ['--context <tokens>', 'max tokens per request, prompt and answer together'],
      ['--gpu-layers <count>', 'layers to keep on the GPU'],
      ['--keep-alive <time>', 'how long it stays in memory when idle: a time like 2h, always or never'],
      ['--json', 'print a line of JSON for each step'],
    ],
    ...help,
    run: online(async (context, { as, json = false }: { as?: string; json?: boolean }, source: string) =>
      (await import('./models.ts')).pull(source, { as, isJson: json }, context, untilInterrupted()),
    ),
  }
}
