/** A trivet from above: three short strokes that meet in a point. The numbers are those of `src/platform/web/mark.ts`. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      class="mark"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="3.5"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <path d="M12 12L12 3.5M12 12L19.4 16.3M12 12L4.6 16.3" />
    </svg>
  )
}
