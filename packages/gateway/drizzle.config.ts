import { defineConfig } from 'drizzle-kit'

// `npx drizzle-kit generate --name <what-changes>` in this folder writes the next migration from store/tables; triggers are written by hand
// (`--custom`), because drizzle-kit knows none.
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/store/tables/*.ts',
  out: './src/store/migrations',
})
