import type { ChatJob } from './chat-job.ts'
import type { Feature } from '../features.ts'
import { JOB_FIELDS, JOB_FIELD_NAMES, type Need } from './job-fields.ts'

/** Each feature once, with the first field that asks for it. */
export function jobNeeds(job: ChatJob): Need[] {
  const needs = new Map<Feature, Need>()
  for (const name of JOB_FIELD_NAMES)
    for (const need of fieldNeeds(job, name)) if (!needs.has(need.feature)) needs.set(need.feature, need)
  return [...needs.values()]
}

/** For a field that is added to a job whose other needs are known. */
export function fieldNeeds<Name extends keyof ChatJob>(
  job: Partial<Pick<Required<ChatJob>, Name>>,
  name: Name,
): Need[] {
  const value: Required<ChatJob>[Name] | undefined = job[name]
  return value === undefined ? [] : JOB_FIELDS[name].needs(value)
}
