export { judgePassword, type PasswordVerdict } from './judge-password.ts'
