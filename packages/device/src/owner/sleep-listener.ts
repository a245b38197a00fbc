// Notices that the machine is about to sleep, because of its lid or its owner, early enough to hand running jobs to other
// devices. A system that doesn't tell is no problem: its jobs continue elsewhere once the gateway misses the device.

export interface SleepListener {
  onSleep: () => void
  onWake: () => void
  /** Whether jobs run. Asking the system can be left out while none do. */
  isBusy: () => boolean
}

export interface SleepWatch {
  /** The system waits a few seconds for this call after `onSleep`, if it can. */
  letSleep(): void
  stop(): void
}

export type WatchSleep = (listener: SleepListener) => SleepWatch | undefined
