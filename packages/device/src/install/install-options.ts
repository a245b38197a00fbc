// The installer's command-line options.

import {
  INSTALL_OPTIONS,
  parseInstallWords,
  readTarget,
  type InstallTarget,
} from '@hearth/command-line/install/installer'
import { DEVICE_APP } from '@hearth/command-line/install/program'

export interface InstallOptions extends InstallTarget {
  token: string | undefined
  name: string | undefined
  model: string | undefined
  /** `hs-…`, to pin. */
  seal: string | undefined
  /** The last step, once the machine is a device. */
  next: 'start' | 'service' | 'nothing'
}

export const HELP = `hearth-device-install <gateway> [options]

Makes this machine a device in your organization: installs the device app from your gateway, logs in and starts serving.
All files go into ~/.hearth-device; nothing else on this machine changes.

Options:
  --token TOKEN      one-time token, or set HEARTH_DEVICE_TOKEN; without one, you approve a code in the console
  --name NAME        device name shown in the console (default: the host name)
  --model SOURCE     model to serve: a name like qwen3:8b, hf:owner/name[:quant], a URL or a GGUF file (default: starter)
  --home FOLDER      state folder (default: HEARTH_DEVICE_HOME, or ~/.hearth-device)
  --service          run in the background as a service, instead of in this terminal
  --no-start         install and log in, but don't start
  --seal SEAL        your organization's seal (hs-…), from an administrator: only code that it names is installed
  --yes              install code that has changed without asking
  --allow-insecure   allow an unencrypted (http://) gateway on another machine
  -h, --help         show this help

Examples:
  $ hearth-device-install https://hearth.example.com
  $ hearth-device-install https://hearth.example.com --name studio --service
  $ hearth-device-install https://hearth.example.com --model hf:bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M`

const OPTIONS = {
  ...INSTALL_OPTIONS,
  token: { type: 'string' },
  name: { type: 'string' },
  model: { type: 'string' },
  seal: { type: 'string' },
  service: { type: 'boolean' },
  'no-start': { type: 'boolean' },
} as const

export function readInstallOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): InstallOptions | 'help' {
  const { values, positionals } = parseInstallWords(DEVICE_APP, words, OPTIONS)
  if (values.help === true) return 'help'
  return {
    ...readTarget(DEVICE_APP, values, positionals, environment),
    token: values.token ?? environment['HEARTH_DEVICE_TOKEN'],
    name: values.name,
    model: values.model,
    seal: values.seal,
    next: values['no-start'] === true ? 'nothing' : values.service === true ? 'service' : 'start',
  }
}
