import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'

/** The URL names the model of the first lane, so that other pages can link to it. It follows the lane; a link makes the lane follow the URL. */
export function useModelInUrl(model: string | undefined, onOpen: (linked: string | undefined) => void): void {
  const { open } = useSearch({ strict: false })
  const navigate = useNavigate()
  const before = useRef<string>(undefined)
  const follow = useEffectEvent(() => {
    const isChosen = before.current !== undefined && before.current !== model
    before.current = model
    if (model === undefined || (open !== undefined && open !== model && !isChosen)) onOpen(open)
    else if (open !== model) void navigate({ to: '.', search: { open: model }, replace: true })
  })
  useEffect(() => follow(), [open, model])
}
