// For the end-to-end tests: stand-ins for the servers a device talks to.

export { startStandIn, type StandIn, type StandInOptions } from './stand-in-server.ts'
export { startStandInSearch, type StandInSearch } from './stand-in-search.ts'
