// For the end-to-end tests: stand-ins for the servers a device talks to.

export { startStandIn, type StandIn, type StandInOptions } from './stand-in-server.ts'
export { startStandInHub, type StandInHub, type StandInRepository } from './stand-in-hub.ts'
export { startStandInSearch, type StandInSearch } from './stand-in-search.ts'
