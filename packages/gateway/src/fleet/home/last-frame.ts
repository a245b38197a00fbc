import type { JobFrame } from './link.ts'

/** Whether the device is done with the attempt. */
export function isLastFrame({ type }: JobFrame): boolean {
  return type === 'job-end' || type === 'job-error' || type === 'job-cancelled' || type === 'job-refuse'
}
