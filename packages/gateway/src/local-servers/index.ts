export { freePort } from './free-port.ts'
export { NATS_READY, natsUrl, prepareNats } from './nats-server.ts'
export { spawnServer, type ServerCommand } from './server-command.ts'
