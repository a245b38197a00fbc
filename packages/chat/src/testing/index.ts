export { MemoryOutlet } from './memory-outlet.ts'
