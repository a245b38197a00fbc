import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bash } from '../../harness/processes/bash.ts'
import { TINY_PATH } from '../../harness/tiny-model.ts'
import { installOllama, OLLAMA_VERSION } from '../install/ollama.ts'
import { startServer, type Driver } from './driver.ts'

// The model's own template, as Ollama writes it. Ollama prints tools without the spaces that the model has learned, so it is told the only tools
// that it knows.
const TEMPLATE = `{{- if or .System .Tools }}<|im_start|>system
{{ .System }}{{ if .Tools }}{{ if .System }}
{{ end }}Tools:{{ range .Tools }}
{"type": "function", "function": {"name": "{{ .Function.Name }}", "description": "{{ .Function.Description }}", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}{{ end }}{{ end }}<|im_end|>
{{ end }}{{- range .Messages }}{{- if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "assistant" }}<|im_start|>assistant
{{ .Content }}{{ if .ToolCalls }}{{ range .ToolCalls }}<tool_call>
{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
</tool_call>{{ end }}{{ end }}<|im_end|>
{{ else if eq .Role "tool" }}<|im_start|>tool
{{ .Content }}<|im_end|>
{{ end }}{{ end }}<|im_start|>assistant
`

export const OLLAMA: Driver = {
  name: 'ollama',
  title: 'Ollama',
  version: OLLAMA_VERSION,
  takesKey: false,
  limits: { logit_bias: 'it ignores it', reasoning_effort: 'for models that it knows to think' },
  async install() {
    await installOllama()
  },
  async start({ port, slots, contextLength, folder }) {
    const url = `http://127.0.0.1:${port}`
    const program = await installOllama()
    const environment = {
      OLLAMA_HOST: `127.0.0.1:${port}`,
      OLLAMA_MODELS: join(folder, 'ollama-models'),
      OLLAMA_NUM_PARALLEL: String(slots),
      OLLAMA_KEEP_ALIVE: '1h',
      HOME: folder,
    }
    const running = await startServer([program, 'serve'], url, { environment })
    const recipe = join(folder, 'Modelfile')
    await writeFile(
      recipe,
      `FROM "${TINY_PATH}"\nTEMPLATE """${TEMPLATE}"""\nPARAMETER num_ctx ${contextLength}\nPARAMETER num_thread 1\n`,
    )
    const add = async (name: string): Promise<void> =>
      void (await bash('"$ollama" create "$name" -f "$recipe"', { ...environment, ollama: program, name, recipe }))
    await add('tiny')
    return {
      url,
      model: 'tiny:latest',
      program: running,
      models: {
        add,
        async remove(name) {
          await bash('"$ollama" rm "$name"', { ...environment, ollama: program, name })
        },
      },
    }
  },
}
