// Builds the console into dist/, which the gateway serves. Everything comes from the gateway's origin: no inline scripts or styles.

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const GATEWAY = 'http://localhost:8080'

export default defineConfig({
  plugins: [react()],
  build: {
    // Browsers since 2024 support light-dark(), :has() and <dialog>.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false },
    // The content security policy blocks data: fonts and scripts.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api': GATEWAY, '/openai': GATEWAY } },
})
