// What all simulators share.

export { Random } from '../../simulator/random.ts'
export { demand, Violation } from '../../simulator/violation.ts'
export { VirtualClock } from '../../simulator/virtual-clock.ts'
