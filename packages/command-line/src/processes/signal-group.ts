/** Signals a process that leads a group, and all that it has started. Does nothing if nothing of it is left. Windows has no groups. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // Nothing of it is left.
  }
}
