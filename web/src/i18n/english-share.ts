/** Texts of sharing a conversation and of reading a shared one. */
export const ENGLISH_SHARE = {
  share: 'Share',
  shared: 'shared',
  title: 'Share this conversation',
  forSignedIn:
    'Whoever is signed in on this server and has the link can read it. They see what they could have got themselves, and nothing else. Rows are not part of it.',
  forMachine: 'Whoever is on this machine and has the link can read it. Rows are not part of it.',
  goesOn: 'What is asked later is part of it, until the link is ended.',
  makeLink: 'Make a link',
  link: 'Link',
  copyLink: 'Copy link',
  endLink: 'End the link',
  made: 'The conversation is shared.',
  ended: 'The link leads nowhere any more.',
  sharedChat: 'Shared conversation',
  askedBy: (owner: string, last: Date) =>
    `Asked by ${owner}, last on ${last.toLocaleDateString('en', { dateStyle: 'long' })}. To read alone.`,
  yourOwn: 'This is your own. Others see of it what they could have got themselves.',
  empty: 'Nothing was asked yet.',
  gone: 'This link leads nowhere. It was ended, or it is not complete.',
  askYourself: 'Ask this yourself',
};
