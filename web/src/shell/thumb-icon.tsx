/** A hand with its thumb up or down; drawn, since fonts may lack it. */
export function ThumbIcon({ isDown = false }: { readonly isDown?: boolean }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
      aria-hidden="true"
      style={isDown ? { transform: 'rotate(180deg)' } : undefined}
    >
      <path d="M7 11v9H4v-9zM7 11l4-8c1.7 0 2.6 1.2 2.2 3L12.5 9H18c1.5 0 2.4 1.3 2 2.7l-1.7 6.3c-.3 1.2-1.200 2-2.5 2H7" />
    </svg>
  );
}
