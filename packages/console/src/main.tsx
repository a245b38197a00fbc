// Entry point of the console.

import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { router } from './routes.tsx'
import { followSignOut } from './session/sign-out.ts'
import './style/fonts.css'
import './style/style.css'

const root = document.querySelector('#root')
if (!root) throw new Error('index.html has no element with the id root.')

followSignOut()

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
