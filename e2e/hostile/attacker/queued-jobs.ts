/** How many jobs wait for a device at the gateway. */
export async function queuedJobs(origin: string): Promise<number> {
  const response = await fetch(new URL('/metrics', origin))
  const [, jobs = 'NaN'] = /^hearth_queued_jobs (\d+)$/m.exec(await response.text()) ?? []
  return Number(jobs)
}
