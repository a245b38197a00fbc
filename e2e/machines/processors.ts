// Every variant of the engine's library for this kind of processor, whichever one the engine would take here. Processes see only one variant
// in the package's folder, in a mount namespace of their own: nothing is changed on the disk.

import { globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bash } from '../harness/processes/bash.ts'
import { WORK, type Machine } from './machine.ts'

const BINARIES = `node_modules/@node-llama-cpp/linux-${process.arch}/bins/linux-${process.arch}`
const VARIANT = /^libggml-cpu-(.+)\.so$/
/** What depends most on the processor's arithmetic. */
const TESTS = ['llama-engine', 'run/resuming'].map((file) => `packages/device/src/engines/llama/${file}.test.ts`)

export const PROCESSORS: readonly Machine[] = globSync(`${BINARIES}/libggml-cpu-*.so`)
  .map((path) => VARIANT.exec(path.split('/').at(-1)!)![1]!)
  .toSorted()
  .map((variant) => ({
    name: `processor-${variant}`,
    what: `the engine's library for ${variant}`,
    run: (words) => tryVariant(variant, words.length > 0 ? words : TESTS),
  }))

async function tryVariant(variant: string, tests: readonly string[]): Promise<string> {
  const folder = join(WORK, variant)
  const files = readdirSync(BINARIES).filter((file) => (VARIANT.exec(file)?.[1] ?? variant) === variant)
  await bash(`mkdir ${folder} && cd ${BINARIES} && cp ${files.join(' ')} ${folder}`)
  const doctor = `HEARTH_DEVICE_HOME=${folder}/device node packages/device/src/main.ts doctor --engine`
  if (!(await bash(`${inNamespace(folder, doctor)} || true`)).includes('Engine: loaded'))
    return "this processor can't run it"
  const said = await bash(inNamespace(folder, `npx vitest run ${tests.join(' ')}`), { NO_COLOR: '1' })
  return `${/^ *Tests +(.+)$/m.exec(said)![1]} in ${tests.join(' ')}`
}

/** Root may mount. Others become root in a user namespace to mount, and themselves again in another one, as tests may not run as root. */
function inNamespace(folder: string, line: string): string {
  const mount = `mount --bind ${folder} ${BINARIES} && `
  return process.getuid!() === 0
    ? `unshare --mount sh -c '${mount} exec ${line.replace(/^(\w+=\S+)/, 'env $1')}'`
    : `unshare --map-root-user --mount sh -c '${mount} exec unshare --map-user=$(id -u) --map-group=$(id -g) sh -c "${line}"'`
}
