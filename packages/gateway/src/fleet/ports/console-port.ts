import type { FleetChange } from '../terms/fleet-view.ts'
import type { Answer, Question } from '../terms/messages.ts'

/** What gateways tell each other about what people see of an organization. */
export interface ConsolePort {
  /** The models of an organization that take jobs, from its scheduler. */
  served(organization: string, models: readonly string[], from: string): void

  asked(id: number, question: Question, from: string): void
  answered(id: number, answer: Answer, from: string): void

  /** The other gateway wants to hear of changes of the organization's view. */
  watched(organization: string, from: string): void
  unwatched(organization: string, from: string): void
  changed(organization: string, change: FleetChange): void
}
