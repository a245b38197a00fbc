export function Logo({ className = 'text-[1.15rem]' }: { className?: string }) {
  return (
    <span className={`inline-flex items-center gap-6 font-strong tracking-[-0.03em] ${className}`}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden>
        <rect width="32" height="32" rx="8" fill="var(--color-accent)" />
        <path
          d="M16.6 5.5c.7 4-1.3 5.800-3.200 7.800-2 2-3.900 4.200-3.900 7.300a6.600 6.600 0 0 0 13.200 0c0-2.300-.9-4.100-2-5.700-.5 1.200-1.200 2-2.200 2.600.6-4.500-.3-9-1.900-12z"
          fill="var(--color-on-accent)"
        />
      </svg>
      Hearth
    </span>
  )
}
