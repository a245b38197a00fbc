// Tells systemd that the service is ready, and that it lives (sd_notify). That takes a datagram over a Unix socket, which Node has no way to
// send, so systemd's own command does. A shell runs it: it is started once, while the gateway is small, and forking it costs little.

import { spawn } from 'node:child_process'

export interface Systemd {
  tell(state: 'READY=1' | 'WATCHDOG=1'): void
}

/** Does nothing if systemd didn't ask for it. */
export function openSystemd(environment: NodeJS.ProcessEnv): Systemd {
  if (!environment['NOTIFY_SOCKET']) return { tell: () => undefined }
  const shell = spawn('/bin/sh', ['-c', 'while read -r state; do systemd-notify "$state"; done'], {
    env: environment,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  // It ends with its input, which closes with this process.
  shell.on('error', () => undefined).unref()
  shell.stdin.on('error', () => undefined)
  return { tell: (state) => void shell.stdin.write(`${state}\n`) }
}
