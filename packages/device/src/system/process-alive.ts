// Does a process with this number run? Says nothing about which program it is.

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of somebody else is there as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
