/** Words that prompts use by themselves inside data blocks: they say nothing of what is stored. */
export const PROMPT_WORDS: readonly string[] =
  `table tables column columns key keys primary foreign schema create examples example form values value not shown most
  look like available type class description null share distinct rows row smallest largest mean quartiles histogram equal
  bins frequent text length form overlap withheld about used for joined with together notes found certified deprecated
  popularity one of stands its name has words question the is in use joins stored near meaning verified query category
  temporal measure boolean identifier_like_text geo semi_structured other refers to partition part this filters
  aggregations time could mean entities required uncertain candidate kept discarded from error there no such columns level
  support readings credibility description integer real numeric char varchar date datetime timestamp number bigint double
  decimal float blob json current question sql select where group order by limit and or on join as count sum avg min max
  true false unknown all any out range average characters view kind iso code each some more tables fits answer a an means other words writes hint like days numbers several databases people have marked
  certified joins goes what names defined near first second times used runs reading readings summary stands alike decision
  them looks reads pair defined on only read write logs queries people person joined outside usual whoever asks say used
  deprecated place since seconds milliseconds microseconds guess always`
    .split(/\s+/)
    .filter((word) => word !== '');
