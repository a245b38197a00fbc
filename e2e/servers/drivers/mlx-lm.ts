import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { installPython } from '../install/python.ts'
import { keepTinyFolder } from '../install/tiny-folder.ts'
import { startServer, type Driver } from './driver.ts'

const PACKAGE = { name: 'mlx-lm', version: '0.32.2', requirements: ['mlx-lm==0.32.2', 'mlx[cpu]==0.32.4'] }

export const MLX_LM: Driver = {
  name: 'mlx-lm',
  title: 'mlx-lm',
  version: PACKAGE.version,
  takesKey: false,
  limits: {
    logprobs: 'at most 11 alternatives, and none in streams',
    json_object: 'it enforces no JSON',
    json_schema: 'it enforces no JSON',
    tools: 'only for models whose calls it knows',
    'too long': 'it takes any length',
    'end of the context': 'it goes on',
    'started anew': 'it has no context length to set',
  },
  async install() {
    await installPython(PACKAGE)
    await keepTinyFolder()
  },
  async start({ port, folder }) {
    const url = `http://127.0.0.1:${port}`
    const model = await keepTinyFolder()
    const program = join(await installPython(PACKAGE), 'mlx_lm.server')
    // It takes every model whose template can begin with a thought for one that does.
    const words = ['--model', model, '--port', String(port), '--chat-template-args', '{"enable_thinking": false}']
    // It lists no models without this folder.
    await mkdir(join(folder, 'hub'), { recursive: true })
    const environment = { HF_HUB_OFFLINE: '1', HF_HOME: folder }
    return { url, model, program: await startServer([program, ...words], url, { environment }) }
  },
}
