import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'

/** The URL names the model of the first lane, so that other pages can link to it. It follows the lane; a link makes the lane follow the URL. */
export function useModelInUrl(model: string | undefined, onOpen: (linked: string | undefined) => void): void {
  const { open } = useSearch({ strict: false })
  const navigate = useNavigate()
  const before = useRef<string>(undefined)
  const follow = useEffectEvent((linked: string | undefined, chosen: string | undefined) => {
    const isChosen = before.current !== undefined && before.current !== chosen
    before.current = chosen
    if (chosen === undefined || (linked !== undefined && linked !== chosen && !isChosen)) onOpen(linked)
    else if (linked !== chosen) void navigate({ to: '.', search: { open: chosen }, replace: true })
  })
  useEffect(() => follow(open, model), [open, model])
}
