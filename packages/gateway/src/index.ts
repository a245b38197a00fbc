export { API_ERRORS } from './errors.ts'
