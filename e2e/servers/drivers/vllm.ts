import { join } from 'node:path'
import { keepTinyFolder } from '../install/tiny-folder.ts'
import { installVllm, VLLM_VERSION } from '../install/vllm.ts'
import { startServer, type Driver } from './driver.ts'

export const VLLM: Driver = {
  name: 'vllm',
  title: 'vLLM',
  version: VLLM_VERSION,
  takesKey: true,
  async install() {
    await installVllm()
    await keepTinyFolder()
  },
  async start({ port, slots, contextLength, key }) {
    const url = `http://127.0.0.1:${port}`
    const sizes = ['--max-model-len', String(contextLength), '--max-num-seqs', String(Math.max(slots, 32))]
    const tools = ['--enable-auto-tool-choice', '--tool-call-parser', 'hermes']
    const keyed = key === undefined ? [] : ['--api-key', key]
    const served = ['--served-model-name', 'tiny', '--host', '127.0.0.1', '--port', String(port)]
    const words = ['serve', await keepTinyFolder(), ...served, '--dtype', 'float32', '--enforce-eager']
    const environment = { VLLM_CPU_KVCACHE_SPACE: '1', VLLM_CPU_OMP_THREADS_BIND: 'nobind', HF_HUB_OFFLINE: '1' }
    const command = [join(await installVllm(), 'vllm'), ...words, ...sizes, ...tools, ...keyed] as const
    return { url, model: 'tiny', program: await startServer(command, url, { key, environment }) }
  },
}
