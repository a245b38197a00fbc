export type { JobPlan, Plan } from './job-plan.ts'
export { checkNumberedText, numberedText } from './numbered-text.ts'
export { ScriptedDevice, type LinkClosed, type ScriptedDeviceOptions } from './scripted-device.ts'
export type { ScriptedJob } from './scripted-job.ts'
