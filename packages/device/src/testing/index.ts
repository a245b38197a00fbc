// For the end-to-end tests: stand-ins for the servers a device talks to.

export { startStandIn, type StandIn, type StandInOptions } from './stand-ins/server.ts'
export { startStandInHub, type StandInHub, type StandInRepository } from './stand-ins/hub.ts'
export { startStandInSearch, type StandInSearch } from './stand-ins/search.ts'
export { createJudge, memoryForModels } from '../app/back-end/judge-fit.ts'
export { describeRecommended, recommendFor } from '../commands/models/recommend.ts'
export { describeMachine } from '../engines/llama/plan/plan-table.ts'
