import type { DeviceFrame, JobAttempt } from '@hearth/protocol'

/** Frames about a job. */
export type JobFrame = Extract<DeviceFrame, JobAttempt>

export function isJobFrame(frame: DeviceFrame): frame is JobFrame {
  return 'job' in frame
}

/** Whether the device is done with the attempt. */
export function isLastFrame({ type }: JobFrame): boolean {
  // Most frames are text.
  if (type === 'job-delta') return false
  return type === 'job-end' || type === 'job-error' || type === 'job-cancelled' || type === 'job-refuse'
}
