// The console is built into dist/, which the gateway serves. Everything stays on the gateway's origin: no inline script, no inline style.

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const GATEWAY = 'http://localhost:8080'

export default defineConfig({
  plugins: [react()],
  build: {
    // Browsers of 2024 and later: they know light-dark(), :has() and <dialog>.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false },
    // A data: font or script would be refused by the content security policy.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api': GATEWAY, '/openai': GATEWAY } },
})
