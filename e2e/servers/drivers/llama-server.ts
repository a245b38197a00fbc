import { TINY_PATH } from '../../harness/tiny-model.ts'
import { installLlamaServer } from '../install/llama-server.ts'
import { ENGINE_VERSION } from '../install/sources.ts'
import { startServer, type Driver } from './driver.ts'

export const LLAMA_SERVER: Driver = {
  name: 'llama-server',
  title: 'llama-server',
  version: ENGINE_VERSION,
  takesKey: true,
  async install() {
    await installLlamaServer()
  },
  async start({ port, slots, contextLength, key }) {
    const url = `http://127.0.0.1:${port}`
    const sizes = ['-np', String(slots), '-c', String(contextLength * slots), '-t', '1', '-tb', '1']
    const keyed = key === undefined ? [] : ['--api-key', key]
    const words = ['-m', TINY_PATH, '-a', 'tiny', '--jinja', '--port', String(port), ...sizes, ...keyed]
    const program = await startServer([await installLlamaServer(), ...words], url, { key })
    return { url, model: 'tiny', program }
  },
}
