// What all simulators share.

export { Random } from '../../../scheduler/simulator/random.ts'
export { demand, Violation } from '../../../scheduler/simulator/violation.ts'
export { VirtualClock } from '../../../scheduler/simulator/virtual-clock.ts'
