export { timesOf, type AnswerTimes } from '../fleet/simulator/measures/worlds/answer-times.ts'
export { FLEET_POLICIES, runPolicy } from '../fleet/simulator/measures/worlds/policies.ts'
export type { PlacedRequest } from '../fleet/simulator/measures/worlds/simulated-machine.ts'
export {
  capacityOf,
  WORLDS,
  type Machine,
  type World,
  type WorldRequest,
} from '../fleet/simulator/measures/worlds/worlds.ts'
export { Random } from '../fleet/simulator/random.ts'
export { listen } from '../http/listen.ts'
export { connectNats } from '../bus/nats-bus.ts'
export { echo } from '../bus/testing/echo.ts'
export { winnerOf } from '../fleet/peers/rendezvous.ts'
export { openPeerLinks } from '../fleet/peers/links/peer-links.ts'
export { createEnrolmentToken, createKey } from '../access/secrets/secrets.ts'
export { connectStore, openStore } from '../store/open-store.ts'
export type { Store } from '../store/store.ts'
export { addMany, addManyDevices, addManyKeys } from './add-many.ts'
export { dumpRows } from './dump.ts'
export { makeDataFolder } from './data-folder.ts'
export type { JobPlan, Plan } from './job-plan.ts'
export { checkNumberedText, numberedText } from './numbered-text.ts'
export { oneAtATime } from '../locks/one-at-a-time.ts'
export { ScriptedDevice, type LinkClosed, type ScriptedDeviceOptions } from './scripted-device.ts'
export type { ScriptedJob } from './scripted-job.ts'
export { hasNats, startNats, type TestNats } from './start-nats.ts'
export { StandInProvider } from './stand-in-provider.ts'
export { startPostgres, type TestPostgres } from './start-postgres.ts'
export { totp } from './totp.ts'
export { Visitor, type Answer } from './visitor.ts'
